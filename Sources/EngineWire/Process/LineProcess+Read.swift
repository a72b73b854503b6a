import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LineProcess {
  /// The next line of standard output, without its LF or CRLF, as it came: not checked to be UTF-8.
  ///
  /// The bytes are those of the buffer; they stay until the next call of anything on this process. What has
  /// come already is given even after the deadline, and after the process has ended.
  ///
  /// - Complexity: O(length of the line); no allocation but for the growth of the buffer
  /// - Throws: What the process did instead of answering. After `timedOut` one may read on, after anything
  ///   else there is nothing to come.
  package func nextLine(deadline: Deadline) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8> {
    while true {
      if let line = buffer.nextLine() {
        linesRead += 1
        if line.count > limits.lineBytes { throw tooLong(linesRead) }
        return line
      }
      if buffer.count > limits.lineBytes { throw tooLong(linesRead + 1) }
      if let failed { throw failed }
      if !output.isOpen { throw endOfOutput() }
      try fill(until: deadline)
    }
  }

  /// The next line as text.
  ///
  /// - Throws: `notUTF8` too; the line is passed over, and one may read on.
  package func readLine(deadline: Deadline) throws(EngineProcessError) -> String {
    let line = try nextLine(deadline: deadline)
    if let text = String(validating: line, as: UTF8.self) { return text }
    throw notUTF8(line)
  }

  /// The error for a line that is not UTF-8, where a reader of bytes finds that out.
  package func notUTF8(_ line: UnsafeBufferPointer<UInt8>) -> EngineProcessError {
    failure(
      .notUTF8,
      "has written bytes that are not UTF-8 in line \(linesRead) of its output: \"\(Self.excerpt(line))\"",
      remedy: "write text in UTF-8 alone to standard output")
  }

  /// Takes in what comes on standard output; at its end, closes it.
  private func fill(until deadline: Deadline) throws(EngineProcessError) {
    if mayHaveMore, try take() { return }
    // Most engines answer sooner than a process that sleeps can be woken. Whoever else wants to run goes first.
    for _ in 0..<Self.glances where output.isOpen {
      if try take() { return }
      sched_yield()
    }
    var isPatient = false
    while output.isOpen {
      let left = left(until: deadline)
      let ready = wait(for: [], nanoseconds: left, isPatient: isPatient)
      if ready.contains(.errors) { drainErrors(atMost: 1) }
      if ready.contains(.output) {
        if try take() { return }
      } else if endingByNow() != nil {
        // Others may hold its output open, which does not make them the engine. What it wrote before it
        // ended is there by now.
        if try !take() { output.shut() }
        return
      } else if left == 0 {
        throw failure(
          .timedOut, "has not answered within \(deadline.limit)",
          remedy: "see that it flushes each line (in Python: print(…, flush=True)), or allow more time")
      }
      isPatient = true
    }
  }

  /// How often one looks for an answer before sleeping: some 20 µs.
  private static var glances: Int { 40 }

  /// Reads one chunk of standard output; false where there is none, at the end as well.
  func take() throws(EngineProcessError) -> Bool {
    let count = child_read(output.number, buffer.room(), LineBuffer.chunk)
    guard count > 0 else {
      mayHaveMore = false
      if count != -Int(EAGAIN) { output.shut() }
      return false
    }
    mayHaveMore = count == LineBuffer.chunk
    buffer.add(count)
    answered += count
    if answered > limits.answerBytes {
      throw fail(
        .floodedOutput, "has written more than \(limits.answerBytes) bytes to answer one line",
        remedy: "write only what was asked for to standard output, and log lines to standard error")
    }
    return true
  }

  /// Makes an error after which there is nothing to come.
  func fail(
    _ code: EngineProcessError.Code, _ message: String, remedy: String
  ) -> EngineProcessError {
    let error = failure(code, message, remedy: remedy)
    failed = error
    return error
  }

  private func tooLong(_ line: Int) -> EngineProcessError {
    output.shut()
    return fail(
      .lineTooLong, "has written a line of more than \(limits.lineBytes) bytes, line \(line) of its output",
      remedy: "end each line with a line feed, and write log lines to standard error")
  }

  /// Why there is no more output. A process that has just closed it is given a moment to end.
  private func endOfOutput() -> EngineProcessError {
    let place = buffer.withWaiting {
      $0.isEmpty ? "before it answered" : "in the middle of \"\(Self.excerpt($0))\""
    }
    if let error = ended(place) { return error }
    return fail(
      .closedOutput, "has closed its standard output \(place), but lives on",
      remedy: "keep standard output open until standard input ends")
  }

  /// The error of a process that has ended, or does so in the next moment; nil where it lives on.
  func ended(_ place: String) -> EngineProcessError? {
    switch awaitEnding(until: deadline(after: .seconds(2))) {
    case .exited(let status):
      fail(
        .exited(status), "ended with status \(status) \(place)",
        remedy: status == 0
          ? "let it answer each line, and read on until its standard input ends"
          : "run the command by hand to see why")
    case .killed(let signal):
      fail(
        .killed(signal), "was ended by signal \(signal) \(place)",
        remedy: "run the command by hand to see why" + (signal == SIGKILL ? "; perhaps memory ran out" : ""))
    case .unknown:
      fail(
        .init("ended"), "ended \(place), and the system does not say how",
        remedy: "start the tool from a shell that does not ignore SIGCHLD")
    case nil: nil
    }
  }

  /// The beginning of a line, safe to show.
  private static func excerpt(_ line: UnsafeBufferPointer<UInt8>) -> String {
    ErrorLines.text(line.prefix(60)) + (line.count > 60 ? "…" : "")
  }
}
