import Foundation
import ReminderMatching
import Testing
import TriggerModel

/// A program's tables are memory of its own, which goes with it.
@Suite struct FreedMemoryTests {
  private static let processTable = "/proc/self/statm"

  /// In a process of its own, where nobody else takes memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: processTable), "there is no /proc here"))
  func `programs that nobody has any more leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      // Each table by fact has 64 kB or more: of thirty programs one that stays is seen.
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
      // The address sanitizer gives nothing back for a long while.
      if dlsym(nil, "__asan_init") == nil { #expect(try residentBytes() - before < 1 << 20) }
    }
  }
}

/// How much memory this process has.
private func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}
