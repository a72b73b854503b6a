import Benchmarks
import Foundation
import Testing

@Suite struct ScratchFolderTests {
  /// No process has the identifier `Int32.max`.
  @Test func `only the folders of ended processes are removed`() throws {
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

  @Test func `the folder exists only while it is in use`() throws {
    let folder = try ScratchFolder.with { folder in
      #expect(FileManager.default.fileExists(atPath: folder.path))
      return folder
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
