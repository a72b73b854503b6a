import Testing
import TextFormats

@Suite struct HTMLTableTests {
  @Test func `heads and cells have the class of their column`() {
    var table = HTMLTable("kinds", [.text("word"), .number("number"), .time("time")])
    table.add(["one", "1", "2026-03-02 10:00"])
    let markup = table.markup.joined()
    #expect(
      markup.contains(
        "<tr><th scope=\"col\">word</th><th scope=\"col\" class=\"number\">number</th><th scope=\"col\">time</th></tr>"
      ))
    #expect(
      markup.contains(
        "<tr><td>one</td><td class=\"number\">1</td><td class=\"time\">2026-03-02 10:00</td></tr>"))
  }

  @Test func `the first row that does not fit and all later rows are omitted`() {
    let row = "<tr><td>é</td></tr>"
    for rows in 0...4 {
      for beyond in [-1, 0, row.utf8.count - 1] {
        let bytes = rows * row.utf8.count + beyond
        guard bytes >= 0 else { continue }
        var table = HTMLTable("rows", [.text("word")], bytes: bytes)
        for _ in 0..<6 { table.add(["é"]) }
        let fitting = beyond < 0 ? rows - 1 : rows
        #expect(table.markup.count { $0 == row } == fitting, "\(bytes) bytes")
        #expect(table.leftOut == 6 - fitting, "\(bytes) bytes")
        // A shorter row would fit, but the table adds no row after it has omitted one.
        table.add([""])
        #expect(table.leftOut == 7 - fitting, "\(bytes) bytes")
      }
    }
  }

  @Test func `a string is escaped, and its length counts the visible characters`() {
    let inner: HTMLText = "\("<a>") & \(7)"
    #expect(inner.markup == "&lt;a&gt; &amp; 7" && inner.length == 7)
    let outer: HTMLText = "\(HTMLText.code(inner)), \(HTMLText.span(inner, "x"))"
    #expect(outer.markup == "<code>&lt;a&gt; &amp; 7</code>, <span class=\"x\">&lt;a&gt; &amp; 7</span>")
    #expect(outer.length == 16)
  }
}
