/// A page that stands by itself: no script, and nothing loaded from anywhere. It follows the reader's choice of a light
/// or dark screen, and fits one of 360 pixels.
package struct HTMLPage {
  package var title: HTMLText
  /// What kind of a page it is: the tool knows its own pages by it.
  package var kind: String
  /// Rules beside those that all pages share.
  package var style: String
  package var body: [String] = []

  package init(_ title: HTMLText, kind: String, style: String = "") {
    self.title = title
    self.kind = kind
    self.style = style
  }

  /// What stands near the beginning of every page of a kind.
  package static func mark(_ kind: String) -> String { "<meta name=\"generator\" content=\"\(kind)\">" }

  package var text: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">\(Self.mark(kind))<title>\(title.markup)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <style>
    \(Self.style)\(style)</style></head><body><main>
    \(body.joined(separator: "\n"))
    </main></body></html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --paper: light-dark(#ffffff, #0d1117); --ink: light-dark(#1f2328, #e6edf3);
      --first: light-dark(#0b5cad, #6cb6ff); --second: light-dark(#a34700, #ffa657); --quiet: light-dark(#59636e, #9198a1);
      --good: light-dark(#116329, #57d364); --bad: light-dark(#a40e26, #ff7b72) }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink) }
    main { max-width: 74rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
    main > p, main > ul { max-width: 48rem } a { color: var(--first) } code { overflow-wrap: anywhere }
    .note { color: var(--quiet); font-size: .9rem } footer { margin-top: 3rem; font-size: .85rem }
    .scroll { overflow-x: auto; margin: 1rem 0 }
    table { border-collapse: collapse; overflow-wrap: normal }
    th, td { border-bottom: 1px solid #8888; padding: .25rem .6rem; text-align: left; vertical-align: top; min-width: 4rem }
    th.number, td.number { text-align: right; font-variant-numeric: tabular-nums } td.number, td.time { white-space: nowrap }
    th:not(.number) { min-width: 6rem } td.words { min-width: 7rem; white-space: normal; overflow-wrap: anywhere } td.ratio { white-space: normal } td:not(.words) code { overflow-wrap: break-word }
    @media (max-width: 40rem) { th:not(.number) { min-width: 4rem } th, td { padding: .25rem .4rem; font-size: .9rem }
      table.stacked, .stacked tbody, .stacked tr, .stacked td { display: block } .stacked thead { display: none }
      .stacked tr { border-bottom: 1px solid #8888; padding: .4rem 0 } .stacked td { border: 0; padding: .1rem 0; white-space: normal } }

    """
}
