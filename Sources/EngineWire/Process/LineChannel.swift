/// What is talked to in lines: another process, or what stands in for one.
///
/// One owner, one thread at a time, as with a ``LineProcess``.
package protocol LineChannel: AnyObject, Sendable {
  /// How many lines were taken with ``nextLine(deadline:)``.
  var linesRead: Int { get }

  /// Whether something has come that nobody has taken: a line, or the beginning of one.
  var hasUnread: Bool { get }

  /// Writes whole lines with their ends.
  func write(_ bytes: [UInt8], deadline: LineProcess.Deadline) throws(EngineProcessError)

  /// The next line without its end; its bytes stay until the next call of anything.
  func nextLine(deadline: LineProcess.Deadline) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8>

  /// The instant after so much time from now.
  func deadline(after limit: Duration) -> LineProcess.Deadline

  /// An error of the other side, with the last that it logged.
  func failure(_ code: EngineProcessError.Code, _ message: String, remedy: String) -> EngineProcessError

  /// Ends the other side, after the grace time where it does not end by itself.
  @discardableResult
  func close(grace: Duration) -> LineProcess.Ending
}

extension LineProcess: LineChannel {
  package var hasUnread: Bool { buffer.count > 0 }
}
