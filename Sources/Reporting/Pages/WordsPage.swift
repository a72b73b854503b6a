import TextFormats

extension ReportPages {
  /// Every word that a report prints for why something did not go on: `triggerbench reasons` as a page.
  static var words: HTMLPage {
    var page = HTMLPage("TriggerBench: the words of reports", kind: kind, style: style)
    page.body = [
      "<nav><a href=\"index.html\">All scenarios</a></nav>", "<h1>The words of reports</h1>",
      "<p>In the order of the way from what happens to a link that is followed. In a terminal:"
        + " <code>triggerbench reasons notWoken</code>.</p>",
    ]
    var anchors: Set<String> = []
    for stage in ReportWord.Stage.allCases {
      let own = ReportWord.all.filter { $0.stage == stage }
      if own.isEmpty { continue }
      let title: HTMLText = "\(stage.rawValue): \(stage.summary)"
      page.body.append("<h2>\(title.markup)</h2><dl>")
      for word in own {
        let anchor = WordLinks.anchor(word.name)
        // A word of two kinds has two explanations; links lead to the first.
        let id = anchors.insert(anchor).inserted ? " id=\"\(anchor)\"" : ""
        let name: HTMLText = "\(word.name) (\(word.kind.title))"
        page.body.append(
          "<dt\(id)>\(name.markup)</dt><dd>\(HTMLText(word.sentence).markup) \(HTMLText(word.remedy).markup)</dd>"
        )
      }
      page.body.append("</dl>")
    }
    return page
  }
}
