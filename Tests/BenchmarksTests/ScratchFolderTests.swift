import Benchmarks
import Foundation
import Testing

@Suite struct ScratchFolderTests {
  /// The test uses `Int32.max`, because no process has this number.
  @Test func `only folders of processes that have ended are removed`() throws {
    try ScratchFolder.with { place in
      let (own, id) = (ProcessInfo.processInfo.processIdentifier, UUID().uuidString)
      let names = [
        "triggerbench-\(Int32.max)-\(id)", "triggerbench-\(own)-\(id)", "triggerbench-\(id)",
        "other-\(Int32.max)-\(id)", "triggerbench-\(Int32.max)-results", "triggerbench-results",
      ]
      for name in names {
        let folder = place.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("a".utf8).write(to: folder.appendingPathComponent("file"))
      }
      ScratchFolder.removeLeftovers(in: place)
      let left = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(left.sorted() == names.dropFirst().sorted())
    }
  }

  @Test func `the folder exists only during its use`() throws {
    let folder = try ScratchFolder.with { folder in
      #expect(FileManager.default.fileExists(atPath: folder.path))
      return folder
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
