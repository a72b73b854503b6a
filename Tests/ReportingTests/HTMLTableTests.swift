import Testing
import TextFormats

/// Tables of pages: how columns are set, and how much of a table there is room for.
@Suite struct HTMLTableTests {
  @Test func `a column's heading and cells are set as its kind asks`() {
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

  @Test func `a row that just fits is there, and after the first that does not there is none`() {
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
        // A shorter one would fit, but rows are not left out between others.
        table.add([""])
        #expect(table.leftOut == 7 - fitting, "\(bytes) bytes")
      }
    }
  }

  @Test func `what stands in a text is escaped and counted as it is seen`() {
    let inner: HTMLText = "\("<a>") & \(7)"
    #expect(inner.markup == "&lt;a&gt; &amp; 7" && inner.length == 7)
    let outer: HTMLText = "\(HTMLText.code(inner)), \(HTMLText.span(inner, "x"))"
    #expect(outer.markup == "<code>&lt;a&gt; &amp; 7</code>, <span class=\"x\">&lt;a&gt; &amp; 7</span>")
    #expect(outer.length == 16)
  }
}
