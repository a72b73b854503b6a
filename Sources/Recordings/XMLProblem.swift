/// What the parser's error numbers mean (libxml2, `xmlerror.h`); its own texts are empty.
enum XMLProblem {
  /// The problem in words, and what to do about it.
  static func explain(_ code: Int, rootIsClosed: Bool) -> (message: String, remedy: String) {
    switch code {
    case 2: ("there is not enough memory to read it", "run it where there is more; the file may be sound")
    case 4: ("there is no element: this is no GPX file", "name one, or get the whole file")
    case 5 where rootIsClosed: ("something follows the root element", "remove what follows </gpx>")
    case 5, 74, 77: ("the file ends inside an element", "get the whole file")
    case 9, 81: ("bytes that are not text in the file's encoding", "save the file again as UTF-8")
    case 26: ("an entity that XML does not define", "write the character itself, or &amp; for &")
    case 27, 23, 68: ("a name or entity is not complete", "write &amp; for & and &lt; for <")
    case 31, 32: ("the encoding is not supported", "save the file as UTF-8")
    case 38: ("a < inside an attribute", "write &lt; for <")
    case 39, 40, 41, 65: ("an attribute is not written as name=\"value\"", "mend the attribute")
    case 42: ("an attribute is there twice", "remove one of them")
    case 45: ("a comment does not end", "close it with -->")
    case 63: ("a CDATA section does not end", "close it with ]]>")
    case 73: ("a tag does not end", "close it with >")
    case 76: ("a closing tag does not match the element that is open", "mend the tags")
    case 201: ("a prefix that no xmlns attribute declares", "declare it in the root element, or remove it")
    default: ("the file is not well-formed XML (libxml2 error \(code))", "mend it, or get the whole file")
    }
  }
}
