import Foundation
import Testing

@testable import EngineWire

/// Tests engines that answer, and engines that end before they answer.
@Suite(.serialized) struct AnswerTests {
  @Test func `lines are written and read`() throws {
    let ending = try Script.play("exec cat", grace: .seconds(60)) { process in
      #expect(try process.ask("one") == "one")
      #expect(try process.ask("") == "")
      #expect(try process.ask("zwölf\r") == "zwölf")
      let bytes = Array("{\"a\":1}\n{\"a\":2}\n".utf8)
      try process.write(bytes, deadline: process.soon)
      let counts = try [1, 2].map { _ in try process.nextLine(deadline: process.soon).count }
      #expect(counts == [7, 7])
      for number in 0..<500 { #expect(try process.ask("line \(number)") == "line \(number)") }
    }
    #expect(ending == .exited(0))
  }

  @Test func `lines before the end are read after the process has ended`() throws {
    try Script.play("echo one; echo two; exit 3") { process in
      try process.expectLine("one")
      try process.expectLine("two")
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .exited(3))
    }
  }

  @Test func `a process that ends immediately is reported with its last lines`() throws {
    let ending = try Script.play("echo 'no such module: x' >&2; exit 3") { process in
      let error = try failure { while true { _ = try process.ask("event") } }
      #expect(error.code == .exited(3))
      #expect(error.lastLines == ["no such module: x"])
      #expect(
        error.description.contains("engine \"engine\" ended with status 3 before it")
          && error.description.hasSuffix(
            "by hand to see why\nits last lines on standard error:\n  | no such module: x")
      )
    }
    #expect(ending == .exited(3))
  }

  @Test func `a killed process is reported with the signal`() throws {
    let ending = try Script.play("read line; kill -9 $$") { process in
      try process.write(line: "event", deadline: process.soon)
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .killed(9))
      #expect(error.message == "was ended by signal 9 before it answered")
    }
    #expect(ending == .killed(signal: 9))
  }

  @Test func `a process that ends within a line is an error`() throws {
    try Script.play("read line; printf '{\"ack\":1'") { process in
      try process.write(line: "event", deadline: process.soon)
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .exited(0))
      #expect(error.message == "ended with status 0 in the middle of \"{\"ack\":1\"")
      #expect(try failure { try process.write(line: "event", deadline: process.soon) } == error)
    }
  }

  @Test func `a late answer times out and can be read later`() throws {
    try Script.play("while read line; do if [ $line = 2 ]; then echo answer; fi; done") { process in
      try process.write(line: "1", deadline: process.soon)
      let error = try failure { _ = try process.readLine(deadline: process.atOnce) }
      #expect(error.code == .timedOut)
      #expect(error.message == "has not answered within 0.02 seconds")
      // The answer was only late, so reading can continue.
      #expect(try process.ask("2") == "answer")
    }
  }

  @Test func `received lines are returned after the deadline`() throws {
    try Script.play("printf 'one\\ntwo\\n'; exec sleep 100") { process in
      try process.expectLine("one")
      try process.expectLine("two", by: process.deadline(after: .zero))
    }
  }

  @Test func `a process that does not read times out`() throws {
    try Script.play("exec sleep 100") { process in
      let much = [UInt8](repeating: 0x0A, count: 1 << 20)
      let error = try failure { try process.write(much, deadline: process.atOnce) }
      #expect(error.code == .timedOut)
      #expect(error.message == "has not read its input within 0.02 seconds")
      // The process has read half a line, so the next line would be appended to it.
      #expect(try failure { try process.write(line: "", deadline: process.soon) } == error)
    }
  }

  @Test func `a line that is not UTF-8 is an error, and the next line can be read`() throws {
    try Script.play("printf 'a\\377\\033[31m\\376\\n'; echo well") { process in
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .notUTF8)
      #expect(error.message.contains("line 1 of its output: \"a\u{FFFD}\u{FFFD}[31m\u{FFFD}\""))
      try process.expectLine("well")
    }
  }

  @Test func `a closed standard input is an error`() throws {
    try Script.play("exec <&-; echo ready; exec sleep 100") { process in
      try process.expectLine("ready")
      let error = try failure { try process.write(line: "event", deadline: process.soon) }
      #expect(error.code == .brokenPipe)
    }
  }

  @Test func `a closed standard output is an error`() throws {
    try Script.play("exec >&-; exec sleep 100") { process in
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .closedOutput)
    }
  }

  @Test func `a closed process cannot be used`() throws {
    let script = try Script("exec cat")
    defer { script.remove() }
    let process = try script.start()
    #expect(process.close(grace: .seconds(60)) == .exited(0))
    #expect(process.close(grace: .zero) == .exited(0))
    #expect(try failure { try process.write(line: "event", deadline: process.soon) }.code == .closed)
    #expect(try failure { _ = try process.readLine(deadline: process.soon) }.code == .closed)
  }
}
