import EngineWire
import Foundation
import Testing

/// Tests messages that the server accepts, and messages that it rejects with their line and position.
@Suite struct ServerTests {
  private static let start = """
    {"message":"program","scenario":{"kind":"scenario","version":1,"title":"t","start":"2026-03-02T07:00",\
    "zone":"UTC","reminders":{"a":{"when":"unlock","notify":{"title":"A"}}}},"zones":["UTC"]}

    """
  private static let moment = """
    "wall":"2026-03-02T07:00:00Z","zone":"UTC","boot":0,"uptime":0
    """

  /// Returns the answers, and the problem that ended the conversation, or `nil` if there was none.
  private func serve(
    _ text: String, lineBytes: Int = LineProcess.Limits().lineBytes
  ) throws -> (answers: [Substring], problem: String?) {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    return serve(pipe.fileHandleForReading, lineBytes: lineBytes)
  }

  private func serve(
    _ handle: FileHandle, lineBytes: Int = LineProcess.Limits().lineBytes
  ) -> (answers: [Substring], problem: String?) {
    var server = EngineServer(version: "test")
    var input = LineInput(handle.fileDescriptor, lineBytes: lineBytes)
    var answers = ""
    do {
      try server.serve(&input) { answers += String(decoding: $0, as: UTF8.self) }
    } catch {
      return (answers.split(separator: "\n"), error.description)
    }
    return (answers.split(separator: "\n"), nil)
  }

  // MARK: The store

  @Test(
    arguments: ["launch", "open"],
    [
      (#""store":"empty""#, nil),
      (#""store":"locked""#, nil),
      (#""store":"stored","state":"AAAA""#, nil),
      (#""state":"AAAA","store":"stored""#, nil),
      (#""store":"lokced""#, #"unknown store "lokced"; did you mean locked?"#),
      (#""store":"stored""#, #""state" is missing"#),
      (#""permission":"authorized""#, #""store" is missing"#),
    ])
  func `an unknown or incomplete store is rejected`(_ message: String, _ store: (String, String?))
    throws
  {
    let found = try serve("\(Self.start){\"message\":\"\(message)\",\(store.0),\(Self.moment)}\n")
    if let problem = store.1 {
      #expect(found.answers.count == 1)
      #expect(found.problem?.hasPrefix("line 2: ") == true)
      #expect(found.problem?.contains(problem) == true, "\(found)")
    } else {
      #expect(found.problem == nil)
      #expect(found.answers.last?.hasPrefix(#"{"message":"done""#) == true)
    }
  }

  @Test func `an empty state is not an empty store`() throws {
    let launch = #"{"message":"launch","store":"stored","state":"",\#(Self.moment)}"#
    let found = try serve("\(Self.start)\(launch)\n")
    #expect(found.answers.contains { $0.contains("storeUnusable") }, "\(found)")
  }

  // MARK: Lines

  @Test func `a last line without a line feed is answered`() throws {
    let found = try serve(#"{"message":"hello","protocol":1}"#)
    #expect(found.problem == nil)
    #expect(found.answers.count == 1)
    let cut = try serve("\(Self.start)" + #"{"message":"hello","protocol":1"#)
    #expect(cut.answers.count == 1)
    #expect(cut.problem?.hasPrefix("line 2: column 32: ") == true, "\(cut)")
  }

  @Test func `lines before an invalid line are answered`() throws {
    let found = try serve("\(Self.start){\"message\":\"helo\"}\n\(Self.start)")
    #expect(found.answers == [#"{"message":"ready"}"#])
    #expect(found.problem?.contains("did you mean hello?") == true)
  }

  @Test func `nothing is answered after the end of the conversation`() throws {
    let found = try serve("{\"message\":\"end\"}\n{\"message\":\"helo\"}\n")
    #expect(found.answers.isEmpty && found.problem == nil)
  }

  @Test(arguments: ["\n", ""])
  func `lines have a maximum length`(_ end: String) throws {
    let hello = #"{"message":"hello","protocol":1}"#
    #expect(try serve(hello + end, lineBytes: hello.utf8.count).problem == nil)
    let found = try serve("\(hello)\n \(hello)\(end)", lineBytes: hello.utf8.count)
    #expect(found.answers.count == 1)
    #expect(found.problem == "line 2: more than 32 bytes; end each line with a line feed")
  }

  @Test func `a read error is not mistaken for the end of the input`() throws {
    let folder = try #require(FileHandle(forReadingAtPath: "/"))
    #expect(serve(folder).problem == "line 1: it cannot be read: Is a directory")
  }
}
