import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImportCommandTests {
  @Test func `the shipped pack is what the import writes, and it says what it left out`() async throws {
    let outcome = try await Tool.run(["import", "scenarios/monica/reminders.json"], in: Repository.root)
    #expect(outcome.code == 0)
    let shipped = try Data(
      contentsOf: Repository.root.appendingPathComponent("scenarios/monica/contacts.yaml"))
    #expect(outcome.output == String(decoding: shipped, as: UTF8.self))
    #expect(outcome.errors.contains("5 reminders read, 4 taken"))
    #expect(outcome.errors.contains("left out (first at scenarios/monica/reminders.json:"))
  }

  @Test func `what is no answer is an error with its place`() async throws {
    let folder = try Folder()
    let file = folder.root.appendingPathComponent("a.json")
    try Data("{\"data\":\n  [}".utf8).write(to: file)
    let outcome = try await Tool.run(["import", file.path], in: Repository.root)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("a.json:2:4: error:"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try await Tool.run(["import", file.path, "--at", "25:00"], in: Repository.root).code == 64)
  }
}
