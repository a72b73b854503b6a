import ScenarioModel
import Testing
import TextFormats

/// What a scenario warns of on purpose.
@Suite struct IntendedWarningTests {
  private static func warning(_ message: String, _ severity: Diagnostic.Severity = .warning) -> Diagnostic {
    Diagnostic(message, severity: severity, file: "a.yaml")
  }

  private static func sample(intending warnings: String) -> Sample {
    var sample = Sample()
    sample.head += "\nintendedWarnings: [\(warnings)]"
    return sample
  }

  private static let come = [
    warning("it is so already"), warning("nobody unlocks the phone"), warning("it is so already", .error),
  ]

  @Test func `those that come are not told, mistakes and other warnings are`() throws {
    let told = try scenario(Self.sample(intending: "so already")).judged(Self.come)
    #expect(told == Array(Self.come.dropFirst()))
    #expect(try scenario(Sample()).judged(Self.come) == Self.come)
  }

  @Test func `each that does not come is a warning where it stands`() throws {
    let told = try scenario(Self.sample(intending: "so already, too late")).judged(Self.come)
    #expect(told.dropLast() == Self.come.dropFirst())
    let missing = try #require(told.last)
    #expect(missing.severity == .warning && missing.message == "no warning says 'too late'")
    #expect(missing.position?.column == 32)
  }
}
