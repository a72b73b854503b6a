import Foundation
import Journal
package import TextFormats

/// Reads what a run left behind: a report, its folder, or a journal.
package enum RunReader {
  package static func read(_ path: String) throws(Diagnostic) -> RecordedRun {
    var file = path
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      file = (path.hasSuffix("/") ? path : path + "/") + "report.json"
    }
    if let problem = RegularFile.problem(file) {
      throw Diagnostic(problem, file: file, hint: "name a folder of reports, a report.json, or a journal")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file), options: .mappedIfSafe)
    } catch {
      throw Diagnostic("the file cannot be read", file: file)
    }
    if data.starts(with: Data("{\"form\":\"\(JournalHeader.form)\"".utf8)) {
      return try JournalRun.read(data, file: file)
    }
    return try ReportRun.read(data, file: file)
  }
}
