import Foundation
import TestSupport
import Testing

@testable import Recordings

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The plain reader and Foundation's parser must report the same events.
@Suite struct PlainXMLTests {
  /// A handler that records the events of a document, one line per element.
  private struct Recorder: XMLHandler {
    var lines: [String] = []
    var isCollecting: Bool { true }
    var hasFailed: Bool { false }
    private var text: [UInt8] = []

    private static let attributes: [StaticString] = ["version", "lat", "lon", "creator", "href", "x:a", "a"]

    mutating func open(
      _ name: UnsafeBufferPointer<UInt8>, _ attributes: some XMLAttributes,
      line: @autoclosure () -> Int
    ) {
      endText()
      let values = Self.attributes.map { name in
        let value = attributes.value(of: name) { String(decoding: $0, as: UTF8.self) }
        // Foundation's parser leaves `&#38;` unresolved and replaces white space with spaces, so the value is
        // adapted.
        return value.map { value in
          let value = value.replacing("\r\n", with: " ").replacing("&#38;", with: "&")
          return "\(name)=|\(String(value.map { $0.isWhitespace ? " " : $0 }))|"
        }
      }
      lines.append(
        "<\(String(decoding: name, as: UTF8.self))> \(line()) \(values.compactMap(\.self).joined(separator: " "))"
      )
    }

    mutating func close(line: @autoclosure () -> Int) {
      endText()
      lines.append("</> \(line())")
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      // Foundation's parser drops the CR of a literal CR LF. Character references are reported separately.
      for index in bytes.indices {
        if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
        text.append(bytes[index])
      }
    }

    private mutating func endText() {
      if !text.isEmpty { lines.append(String(decoding: text, as: UTF8.self).debugDescription) }
      text = []
    }
  }

  private final class Slow: NSObject, XMLParserDelegate {
    var recorder = Recorder()
    var errors = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      var name = name
      name.withUTF8 { recorder.open($0, attributes, line: parser.lineNumber) }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      recorder.close(line: parser.lineNumber)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      var string = string
      string.withUTF8 { recorder.append($0) }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      block.withUnsafeBytes { recorder.append($0.assumingMemoryBound(to: UInt8.self)) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { errors += 1 }
  }

  /// Returns whether the plain reader can read a document and reports the same events as Foundation's parser.
  private func isReadAlike(_ bytes: [UInt8], piece: Int = 128 * 1_024) -> Bool {
    guard
      let plain = PlainXML.read(InputStream(data: Data(bytes)), into: Recorder(), piece: piece)?.lines
    else { return false }
    let slow = Slow()
    let parser = XMLParser(stream: InputStream(data: Data(bytes)))
    parser.delegate = slow
    _ = parser.parse()
    let text = String(decoding: bytes.prefix(2_000), as: UTF8.self).debugDescription
    let all = slow.recorder.lines
    if slow.errors > 0 || all.count < 2 {
      Issue.record("Foundation's parser rejects what the plain reader accepts: \(text)")
    } else if plain != all {
      let first = zip(plain, all).first { $0 != $1 }
      Issue.record("\(first.map { "\($0.0) and \($0.1)" } ?? "length") in \(text)")
    }
    return true
  }

  private static let files: [[UInt8]] = {
    let scenarios = Repository.scenarios
    let folders = [scenarios, Shared.folder?.appendingPathComponent("traces/gpx")].compactMap(\.self)
    let files = folders.flatMap { folder in
      (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
        .filter { $0.pathExtension == "gpx" }
    }
    return files.sorted { $0.path < $1.path }.compactMap { try? Data(contentsOf: $0) }.map(Array.init)
  }()

  @Test func `the plain reader and Foundation's parser read recordings alike`() {
    let read = Self.files.filter { isReadAlike($0) }
    #expect(Self.files.count >= 2)
    #expect(read.count * 10 >= Self.files.count * 8, "\(read.count) of \(Self.files.count)")
  }

  @Test(arguments: [
    "<gpx/>", "<gpx\n version = '1.1'\t/>\n", "\u{FEFF}<gpx></gpx >", "<?xml version=\"1.0\"?><gpx></gpx>",
    "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n\n<gpx></gpx>\n<!-- after -->\n",
    "<!-- before -->\n<gpx>a<!-- - x > -->b<?pi some > thing?>c</gpx>\n",
    "<gpx>a &amp; b &lt;&gt;&quot;&apos; &#65;&#x42;&#x1F600;</gpx>",
    "<gpx><![CDATA[ <a> ]] ]> &amp; ]]>]] ></gpx>",
    "<gpx><![CDATA[]]></gpx>", "<gpx><t> <a/> </t>\n\n<t>\n</t></gpx>",
    "<gpx creator=\"a &amp; b > c 'd'\" lat='\"1\"' lon=\" 2 \"/>",
    "<gpx a=\"x&#10;y\n z\ty\"/>", "<gpx\r\n lat=\"1\"\r\n>\r\n x\r\n</gpx>\r\n",
    "<g:gpx xmlns:g=\"http://a.b/c\" xmlns=\"http://d\"><g:trk x:a='1' xmlns:x='u'/><y:z xmlns:y='u' y:a='2'></y:z></g:gpx>",
    "<gpx>Gänseblümchen 東京 😀\u{85}\u{2028}\u{7F}</gpx>", "<gpx>]] > ]></gpx>", "<gpx><_a-1.b/></gpx>",
    "<gpx><a\n></a\n>\n<b\n\n/></gpx>", "<gpx lat='a&amp;b' href='?a=1&amp;b=2&#38;&lt;'/>",
  ])
  func `the plain reader reads each form of plain XML`(text: String) {
    #expect(isReadAlike(Array(text.utf8)), "\(text)")
  }

  @Test(arguments: [
    "", " ", "text", "<gpx>", "<gpx></gpy>", "<gpx/><gpx/>", "<gpx/>x", "x<gpx/>", "<gpx/>&amp;",
    " <?xml version='1.0'?><gpx/>",
    "<?xml version='1.1'?><gpx/>", "<?xml version='1.0' encoding='latin1'?><gpx/>", "<!DOCTYPE gpx><gpx/>",
    "<gpx>&x;</gpx>", "<gpx>&#0;</gpx>", "<gpx>&#xD800;</gpx>", "<gpx>&#+65;</gpx>", "<gpx>&</gpx>",
    "<gpx>&amp</gpx>",
    "<gpx>]]></gpx>", "<gpx>\u{1}</gpx>", "<gpx>a\rb</gpx>", "<gpx>\u{FFFE}</gpx>", "<gpx><!-- -- --></gpx>",
    "<gpx><!-- ---></gpx>", "<gpx><?xml version='1.0'?></gpx>", "<gpx><?XML?></gpx>", "<gpx a='1' a='2'/>",
    "<gpx a='1'b='2'/>", "<gpx a/>", "<gpx a=1/>", "<gpx a='<'/>", "<gpx a='&x;'/>", "<x:gpx/>",
    "<gpx x:a='1'/>",
    "<gpx xmlns:x=''/>", "<gpx xmlns=''/>", "<gpx xmlns='d'/>", "<gpx xmlns:x='a b'/>",
    "<gpx xmlns:xml='u'/>", "<gpx xmlns='http://x:y/'/>",
    "<gpx><t xmlns:x='u'/><x:t/></gpx>", "<gpx x:a='1' y:a='2' xmlns:x='u' xmlns:y='u'/>",
    "<a:b:c xmlns:a='u'/>",
    "<:gpx/>", "<gpx:/>", "<1/>", "<gpx / >", "< gpx/>", "<gpx></ gpx>", "<gpx><![CDATA[</gpx>",
    "<![CDATA[]]><gpx/>",
    "<gpx><!-- </gpx>", "<gpx><? x?></gpx>", "<gpx><?x </gpx>", "<g\u{E4}/>", "<gpx>\u{0}</gpx>",
    "<gpx/>\u{0}",
    "<gpx xmlns='http://www.w3.org/2000/xmlns/'/>", "<gpx xmlns='http://www.w3.org/XML/1998/namespace'/>",
  ])
  func `the plain reader leaves other documents to Foundation's parser`(text: String) {
    #expect(PlainXML.read(InputStream(data: Data(text.utf8)), into: Recorder()) == nil, "\(text)")
  }

  @Test func `bytes that are not UTF-8 are left to Foundation's parser`() {
    for bytes: [UInt8] in [
      [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8],
      [0xFF],
      [0xE2, 0x82],
    ] {
      let document = Array("<gpx>".utf8) + bytes + Array("</gpx>".utf8)
      #expect(PlainXML.read(InputStream(data: Data(document)), into: Recorder()) == nil, "\(bytes)")
    }
  }

  /// Tests the maximum depth of the plain reader, and one more.
  @Test func `nested elements are read up to the maximum depth`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    #expect(isReadAlike(nested(200)))
    #expect(!isReadAlike(nested(201)))
  }

  @Test func `pieces may end anywhere`() {
    let text =
      "\u{FEFF}<?xml version='1.0'?>\r\n<!-- ä --><gpx version='1.1' creator=\"a&amp;b\"><n>東京 &#x1F600; x]]</n>"
      + "<![CDATA[ ]] ]]>\r\n<?pi ?><wpt lat='1' lon='2'\n><time>2026</time></wpt></gpx>\r\n<!--x-->\n"
    let bytes = Array(text.utf8)
    for piece in 42...bytes.count + 1 {
      for padding in 0..<24 {
        #expect(isReadAlike(bytes + Array(repeating: 0x20, count: padding), piece: piece), "\(piece)")
      }
    }
    #expect(PlainXML.read(InputStream(data: Data(bytes)), into: Recorder(), piece: 20) == nil)
  }

  @Test func `both readers find the same points`() throws {
    for file in Self.files where file.count < 300_000 {
      let builder = GPXBuilder(file: "way.gpx", metresPerDilution: 5)
      let stream = { InputStream(data: Data(file)) }
      guard let plain = PlainXML.read(stream(), into: builder)?.document else { continue }
      let slow = try FoundationXMLReader.read(stream(), into: builder, file: "way.gpx").document
      #expect("\(plain.points)" == "\(slow.points)")
      #expect((plain.trackCount, plain.version) == (slow.trackCount, slow.version))
      #expect(plain.summary == slow.summary)
    }
  }

  @Test func `both readers agree on namespaces, or Foundation's parser must read the file`() {
    var random = SplitMix64(seed: 3)
    let parts = [
      "http:", "https:", "//", "/", "a", "B", "7", ".", "-", "_", "~", "%", ":", "#", "?", "ü", " ", "..",
      "xml",
    ]
    var read = 0
    for _ in 0..<3_000 {
      let address = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      let name = Bool.random(using: &random) ? "xmlns" : "xmlns:x"
      if isReadAlike(Array("<gpx \(name)='\(address.joined())'/>".utf8)) { read += 1 }
    }
    #expect(read > 200, "\(read)")
  }

  /// Creates random documents. Some are malformed.
  @Test func `both readers agree on random documents, or Foundation's parser must read them`() {
    var random = SplitMix64(seed: 11)
    let names = ["a", "gpx", "wpt", "x:a", "y:time", "b-1._"]
    let pieces = [
      " ", "\n", "\r\n", "\t", "text", "1.5", "ä", "東", "😀", "&amp;", "&#38;", "&lt;", "&#xA;", "&#13;", "]]",
      "]",
      ">", "'", "\"", "<!-- c -->", "<!--\n-\n-->", "<?p i\n?>", "<![CDATA[ <&\n]] ]]>", "\u{85}", "\u{A0}",
      "\r", "]]>", "&", "&x;", "--", "\u{1}", "<", "<!DOCTYPE a>",
    ]
    let attributes = [
      " lat='1'", " lon=\"2\"", "\n\tversion = '1.1'", " creator='a &amp; b'", " href='\n&#10;\t'",
      " x:a='3'",
      " xmlns:x='u'", " xmlns:y='http://a.b/c'", " xmlns='http://d'", " a='>'", " a='\"'", "lat='1'",
      " a='&#38;'",
    ]
    func one(_ list: [String]) -> String {
      // The entries at the end of a list are mostly malformed, so they are rarely chosen.
      let bound = Int.random(in: 0..<30, using: &random) == 0 ? list.count : list.count * 3 / 4
      return list[Int.random(in: 0..<bound, using: &random)]
    }
    func element(_ depth: Int) -> String {
      let name = one(names)
      let declared = depth == 0 ? " xmlns:x='u' xmlns:y='http://v'" : ""
      let values = (0..<Int.random(in: 0...2, using: &random)).map { _ in one(attributes) }.joined()
      let space = Int.random(in: 0..<5, using: &random) == 0 ? "\n" : ""
      let inside = (0..<Int.random(in: 0...(5 - depth), using: &random)).map { _ in
        Int.random(in: 0..<3, using: &random) == 0 ? element(depth + 1) : one(pieces)
      }
      if inside.isEmpty, Bool.random(using: &random) { return "<\(name)\(declared)\(values)\(space)/>" }
      return "<\(name)\(declared)\(values)\(space)>\(inside.joined())</\(name)\(space)>"
    }
    var read = 0
    for number in 0..<8_000 {
      let document = Array((element(0) + (number % 5 == 0 ? one(pieces) : "")).utf8)
      if isReadAlike(document, piece: number % 2 == 0 ? 120 : 4_096) { read += 1 }
    }
    #expect(read > 4_000, "\(read)")
  }

  @Test func `both readers agree on damaged files, or Foundation's parser must read them`() {
    var (read, tried) = (0, 0)
    for (seed, file) in Self.files.enumerated() where file.count < 20_000 {
      for mutant in Mutations(of: file, seed: UInt64(seed), count: 300) {
        tried += 1
        if isReadAlike(mutant, piece: 4_096) { read += 1 }
      }
    }
    #expect(tried >= 600)
    #expect(read * 10 > tried, "\(read) of \(tried)")
  }
}
