import Foundation
import ReminderMatching
import Testing
import TriggerModel

/// A program owns the memory of its tables and frees it with its last reference.
@Suite struct FreedMemoryTests {
  private static let processTable = "/proc/self/statm"

  /// Runs in a separate process, so that no other test allocates memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: processTable), "there is no /proc here"))
  func `programs that nobody has any more leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      // Each table of facts has at least 64 kB. Of thirty programs, a single leaked one is detected.
      let names = EngineNames(
        regions: ["home"], facts: (0..<16_384).map { "f\($0)" }, types: ["t"])
      var reminder = ReminderDeclaration(
        "a", .unlock, .regionEntered("home"), if: [.fact(FactCondition(.value("f7"), .equal, [.truth(true)]))]
      )
      reminder.notification.type = "t"
      func make(_ number: Int) throws {
        for _ in 0..<number {
          #expect(try ReminderProgram(compiling: [reminder], names: names).reminderCount == 1)
        }
      }
      try make(4)
      let before = try residentBytes()
      try make(30)
      // The address sanitizer delays the release of memory.
      if dlsym(nil, "__asan_init") == nil { #expect(try residentBytes() - before < 1 << 20) }
    }
  }
}

/// Returns the resident memory of this process in bytes.
private func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}
