import Foundation
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

/// Tests that a program frees the memory of its tables when its last reference is released.
@Suite struct FreedMemoryTests {
  private static let processTable = "/proc/self/statm"

  /// The test runs in a separate process, so that no other test allocates memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: processTable), "there is no /proc here"))
  func `a program frees its memory with its last reference`() async {
    await #expect(processExitsWith: .success) {
      // Each table of facts takes at least 64 kB, so thirty leaked tables are detected.
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
      // The address sanitizer frees memory late.
      if dlsym(nil, "__asan_init") == nil { #expect(try residentBytes() - before < 1 << 20) }
    }
  }
}
