import Foundation
import Testing

@testable import EngineWire

/// Tests engines that write more than the bench reads.
@Suite(.serialized) struct FloodTests {
  @Test func `an endless line is an error`() throws {
    try Script.play("exec tr '\\0' x </dev/zero") { process in
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .lineTooLong)
      #expect(error.message == "has written a line of more than 1048576 bytes, line 1 of its output")
      #expect(try failure { try process.write(line: "event", deadline: process.soon) } == error)
    }
  }

  @Test func `a line that is one byte too long is an error`() throws {
    var limits = LineProcess.Limits()
    limits.lineBytes = 4
    try Script.play("echo 1234; echo 12345; sleep 100", limits: limits) { process in
      try process.expectLine("1234")
      let error = try failure { _ = try process.readLine(deadline: process.soon) }
      #expect(error.code == .lineTooLong && error.message.hasSuffix("line 2 of its output"))
    }
  }

  @Test func `endless lines are an error`() throws {
    var limits = LineProcess.Limits()
    limits.answerBytes = 1_000_000
    try Script.play("exec yes 0123456789012345678901234567890123456789", limits: limits) { process in
      var bytes = 0
      let error = try failure {
        while true { bytes += try process.nextLine(deadline: process.soon).count + 1 }
      }
      #expect(error.code == .floodedOutput)
      #expect(bytes <= limits.answerBytes)
    }
  }

  @Test func `a process that writes instead of reading is an error`() throws {
    try Script.play("exec yes") { process in
      let error = try failure {
        try process.write([UInt8](repeating: 0x0A, count: 1 << 20), deadline: process.soon)
      }
      #expect(error.code == .floodedOutput)
      #expect(process.buffer.count <= process.limits.waitingBytes + LineBuffer.chunk)
    }
  }

  /// If the bench did not read while it writes, both sides would wait forever.
  @Test func `long input and output do not block each other`() throws {
    let source = "head -c 1000000 /dev/zero | tr '\\0' x; echo; head -c 1000000 | wc -c"
    try Script.play(source) { process in
      try process.write([UInt8](repeating: 0x0A, count: 1_000_000), deadline: process.soon)
      #expect(try process.nextLine(deadline: process.soon).count == 1_000_000)
      let count = try process.readLine(deadline: process.soon)
      #expect(Int(count.filter(\.isNumber)) == 1_000_000)
    }
  }

  @Test func `standard error does not block an answer`() throws {
    let source = "head -c 3000000 /dev/zero | tr '\\0' e >&2; yes complaint >&2 & exec cat"
    try Script.play(source) { process in
      for number in 0..<100 {
        let answer = try process.ask("\(number)")
        #expect(answer == "\(number)")
      }
      // The background process takes some time to start.
      var last: [String] = []
      while !last.contains("complaint") {
        _ = try process.ask("")
        last = process.failure(.timedOut, "", remedy: "").lastLines
      }
      #expect(last.count <= 10)
    }
  }

  @Test func `standard error is forwarded line by line`() throws {
    let collected = Collected()
    var limits = LineProcess.Limits()
    limits.errorBytes = 10
    let source =
      "printf 'one\\n\\ntwo\\033\\r\\n0123456789abc\\n' >&2; echo ready; read line; printf last >&2"
    try Script.play(source, grace: .seconds(60), limits: limits, receive: { collected.add($0) }) { process in
      try process.expectLine("ready")
    }
    #expect(collected.lines == ["one", "", "two\u{FFFD}", "0123456789", "abc", "last"])
  }

  @Test func `only the end of standard error is kept`() {
    var errors = ErrorLines(limit: 1000, receive: nil)
    for number in 0..<10_000 {
      Array("complaint \(number)\n".utf8).withUnsafeBufferPointer { errors.add($0) }
      #expect(errors.kept.count <= 2000)
    }
    [UInt8](repeating: 0x0A, count: 5000).withUnsafeBufferPointer { errors.add($0) }
    #expect(errors.kept.count <= 2000)
    "last one".utf8.withContiguousStorageIfAvailable { errors.add($0) }
    #expect(errors.last(2) == ["last one"])
  }

  /// The test runs in a separate process, so that nothing else opens files or allocates memory.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `memory and descriptors are bounded`() async {
    await #expect(processExitsWith: .success) {
      let floods = [
        "exec tr '\\0' x </dev/zero", "exec yes \(String(repeating: "y", count: 1000))",
        "yes \(String(repeating: "e", count: 1000)) >&2 & exec yes \(String(repeating: "y", count: 1000))",
        "exec yes \(String(repeating: "e", count: 1000)) >&2", "exit 1", "exec sleep 100",
      ]
      func round() throws {
        for source in floods {
          _ = try Script.play(source) { process in
            let limit = process.deadline(after: .seconds(2))
            _ = try failure { while true { _ = try process.nextLine(deadline: limit) } }
          }
          _ = try Script.play(source) { process in
            let much = [UInt8](repeating: 0x0A, count: 1 << 20)
            _ = try failure { try process.write(much, deadline: process.deadline(after: .seconds(2))) }
          }
          let lost = try Script(source, line: "#!/no/such")
          #expect(throws: EngineProcessError.self) { try lost.start() }
          lost.remove()
        }
      }
      // The first process opens descriptors for entropy and time zones, which remain open.
      _ = try Script.play("exec cat") { _ in }
      let descriptors = ProcessTable.names(in: "/proc/self/fd").count
      let pages = try residentPages()
      try round()
      #expect(ProcessTable.names(in: "/proc/self/fd").count == descriptors)
      // The address sanitizer frees memory late.
      if dlsym(nil, "__asan_init") == nil {
        #expect(try residentPages() - pages < 64 << 20 / Int(getpagesize()))
      }
    }
  }
}

/// Returns the resident memory of this process in pages.
private func residentPages() throws -> Int {
  let fields = String(decoding: ProcessTable.contents("/proc/self/statm", atMost: 4096), as: UTF8.self)
    .split(separator: " ")
  return try #require(Int(fields[1]))
}
