import Foundation

/// What the tool did not write it does not replace: a name given twice by mistake would cost the user a scenario, or a
/// recording.
enum OverwriteGuard {
  /// What the tool's own files say within their first bytes.
  enum Mark: String {
    case journal = "\"triggerbench.journal\""
    case part = "\"triggerbench-part\""
    case people = "person,policy,"
    case pack = "Made by 'triggerbench import'"
    case counts = "\"suites\""
    case tests = "<testsuites"
  }

  /// Ends the command where a file exists, holds something and has not the mark. Devices and pipes hold nothing.
  ///
  /// - Parameter what: For the message: `the journal`.
  static func check(_ path: String, for what: String, _ mark: Mark) throws {
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let start = try? FileHandle(forReadingFrom: url).read(upToCount: 200),
      !String(decoding: start, as: UTF8.self).contains(mark.rawValue)
    else { return }
    Terminal.diagnose(
      """
      triggerbench: \(what) would replace \(path), which is something else: what the tool did not write it does not \
      replace; name another file
      """)
    throw Exit.failure
  }
}
