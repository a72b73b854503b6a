import Recordings
import TestSupport
import Testing

struct DecimalNumberTests {
  private func scan(_ text: String, _ grammar: DecimalNumber.Grammar = .lenient) -> DecimalNumber? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalNumber($0, grammar) }
  }

  /// Compares results with those of the standard library, bit for bit.
  @Test func `numbers are rounded as in the standard library`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let cut = Int.random(in: 0...digits.count, using: &generator)
      var text = digits[..<cut].joined() + (cut < digits.count ? "." + digits[cut...].joined() : "")
      if cut == 0 { text = "0" + text }
      if Bool.random(using: &generator) { text += "e\(Int.random(in: -340...320, using: &generator))" }
      if Bool.random(using: &generator) { text = "-" + text }
      #expect(scan(text)?.double.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func `halfway cases beyond nineteen digits are rounded correctly`() {
    for text in [
      "9007199254740993", "9007199254740992.9999999999", "9007199254740993.00000000000000000001",
      "37.24173816852271556854248046875", "2.2250738585072011e-308", "1e400", "-1e400", "1e-400",
      "0e999999999999",
    ] {
      #expect(scan(text)?.double.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func `each grammar accepts only its own forms`() {
    for text in ["1", "-0", "0.5", "1e3", "1E+3", "10.25e-2"] { #expect(scan(text, .json) != nil, "\(text)") }
    for text in ["", "-", "01", ".5", "5.", "+1", "1e", "1e+", "0x10", "nan", "inf", "1 ", " 1", "1_0"] {
      #expect(scan(text, .json) == nil, "\(text)")
    }
    for text in ["+1", "01", ".5", "5.", "-.5"] {
      #expect(scan(text)?.double == Double("0" + text) ?? Double(text), "\(text)")
    }
    for text in ["", "-", "+", ".", "e5", "undefined", "NaN", "1,5"] { #expect(scan(text) == nil, "\(text)") }
  }

  @Test func `scaling is exact`() {
    #expect(scan("1488315824.049")?.scaled(by: 3) == 1_488_315_824_049)
    #expect(scan("-0.0005")?.scaled(by: 3) == -1)
    #expect(scan("0.0009")?.scaled(by: 3) == 0)
    #expect(scan("1.5e3")?.scaled(by: 0) == 1_500)
    #expect(scan("1e30")?.scaled(by: 0) == nil)
    #expect(scan("99999999999999999999")?.scaled(by: 0) == nil)
    #expect(scan("9223372036854775807")?.scaled(by: 0) == .max)
    #expect(scan("0e99")?.scaled(by: 3) == 0)
    #expect(scan("1e-99")?.scaled(by: 3) == 0)
  }
}
