/// One file of a report. Its text is made when it is written, so that the pages of a large suite are never in memory
/// all at once.
package struct ReportDocument {
  package let name: String
  private let make: () -> String

  package init(_ name: String, _ make: @escaping () -> String) {
    self.name = name
    self.make = make
  }

  package var text: String { make() }
}
