import Foundation
import PersonModel
import Scenarios
import Testing
import TextFormats

@testable import Reporting

@Suite struct PersonTextTests {
  @Test func `every constant of the tap model is printed with its source`() throws {
    let text = PersonModelText()
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(text.document.text.utf8)) as? [String: Any])
    let constants = try #require(json["constants"] as? [[String: Any]])
    #expect(constants.count == TapConstant.allCases.count)
    for (constant, object) in zip(TapConstant.allCases, constants) {
      for part in [constant.name, constant.row.meaning, constant.row.source, constant.row.evidence.rawValue] {
        #expect(text.text.contains(part))
      }
      #expect(object["name"] as? String == constant.name)
      #expect(Double(object["value"] as? String ?? "") == constant.row.value)
    }
  }

  @Test func `every constant of drawn days is printed with its source`() throws {
    let text = PersonModelText()
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(text.document.text.utf8)) as? [String: Any])
    let constants = try #require(json["dayConstants"] as? [[String: Any]])
    #expect(constants.count == DayConstant.allCases.count)
    for (constant, object) in zip(DayConstant.allCases, constants) {
      let lines = "\n    \(constant.meaning)\n    \(constant.evidence.rawValue): \(constant.source)"
      #expect(text.text.contains(lines))
      #expect(object["name"] as? String == constant.name)
      #expect(object["value"] as? String == "\(constant.value.amount)")
      #expect(object["unit"] as? String == constant.value.unit.rawValue)
    }
    #expect(text.text.contains("mostUnlocks           240 an hour\n"))
  }

  @Test func `the values are aligned in a column`() {
    let lines = PersonModelText().text.split(separator: "\n").filter { $0.first?.isLetter == true }
    let names = TapConstant.allCases.map(\.name) + DayConstant.allCases.map(\.name)
    let values = lines.filter { line in names.contains { line.hasPrefix($0 + " ") } }
    #expect(values.count == names.count)
    let columns = values.compactMap { line in
      line.firstRange(of: /\ {2,}/).map { line.distance(from: line.startIndex, to: $0.upperBound) }
    }
    #expect(Set(columns).count == 1 && columns.count == values.count, "\(columns)")
  }

  /// The rates are means over all people. A few people tap often, so the means exceed the rate of a typical
  /// person.
  @Test func `the resulting tap rates are printed`() {
    #expect(PersonModelText().text.contains("context               16.97 % are tapped"))
    #expect(PersonModelText().text.contains("engagement            5.45 % are tapped"))
  }
}
