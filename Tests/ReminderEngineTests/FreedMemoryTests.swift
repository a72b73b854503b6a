import Foundation
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

/// Tests that a program frees the memory of its tables with its last reference.
@Suite struct FreedMemoryTests {
  private static let processTable = "/proc/self/statm"

  /// The test runs in a separate process, so that no other test allocates memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: processTable), "there is no /proc here"))
  func `a program frees its memory with its last reference`() async {
    await #expect(processExitsWith: .success) {
      // Each table of facts has at least 64 kB, so that thirty leaked tables are detected.
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
