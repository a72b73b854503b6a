import Foundation
import TestSupport
import Testing

/// Tests engines in other processes.
@Suite(.serialized) struct EngineRunTests {
  /// The command that runs the built-in engine over the wire.
  private static let overTheWire = "'\(Tool.executable.path)' engine"

  @Test func `the built-in engine has the same reports in another process`() async throws {
    let out = try Folder()
    for (name, engine) in [("here", []), ("there", ["--engine", Self.overTheWire])] {
      let outcome = try await Tool.run(
        ["run", "scenarios", "--reports", out.url(name).path] + engine, in: Repository.root)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }
    for document in ["report.json", "summary.md", "junit.xml", "index.html", "events.ndjson"] {
      let (here, there) = try (out.read("here/\(document)"), out.read("there/\(document)"))
      #expect(Self.withoutEngine(there) == Self.withoutEngine(here), "\(document)")
      // The first lines of a report name the engine.
      #expect(there.contains("GEOS") == (there.contains("engine under test")), "\(document)")
      #expect(!here.contains("engine under test"), "\(document)")
    }
    #expect(try out.read("there/report.json").contains("\"engine\": "))
  }

  @Test(arguments: ["match", "caps"])
  func `one half of an external engine decides like the built-in half that it replaces`(
    _ half: String
  ) async throws {
    for scenario in ["scenarios/milk.yaml", "scenarios/rebooted-and-locked.yaml"] {
      let outcome = try await Tool.run(
        ["run", scenario, "--against", Self.overTheWire + " --claims \(half)"], in: Repository.root)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output.hasPrefix("same "))
    }
  }

  @Test(arguments: ["matching", "caps", "replay"])
  func `an external engine and the wire are measured separately`(_ suite: String) async throws {
    let (half, events) = suite == "caps" ? (" --claims caps", []) : ("", ["--events", "365"])
    let outcome = try await Tool.run(
      [
        "bench", suite, "--sizes", "20", "--rounds", "1", "--json", "--engine", Self.overTheWire + half,
      ] + events, in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let row = try #require((report?["rows"] as? [[String: Any]])?.first)
    let counters = try #require(row["counters"] as? [String: Double])
    let total = try #require(row["nsPerEvent"] as? Double)
    let (wire, rest) = (try #require(counters["wire ns"]), try #require(counters["engine ns"]))
    #expect(row["baseline"] as? String == "built-in")
    #expect(wire > 0 && (rest == 0 || abs(wire + rest - total) < 1))
    #expect(counters["questions/event", default: 0] >= 1)
  }

  @Test func `an engine whose decisions differ from the built-in ones is not measured`() async throws {
    let folder = try Folder()
    try folder.write(Broken.idle, to: "idle.py")
    let outcome = try await folder.run(
      "bench", "matching", "--sizes", "20", "--events", "300", "--rounds", "1", "--engine", "python3 idle.py")
    #expect(outcome.code == 1, "\(outcome.output)")
    #expect(outcome.errors.contains("0 requests, 0 of them admitted, the built-in one"), "\(outcome.errors)")
  }

  @Test(arguments: ["python", "javascript"])
  func `the example engines decide like the built-in one`(_ language: String) async throws {
    let outcome = try await Tool.run(
      ["run", "scenarios", "--against", Example.command(language)], in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    let scenarios = try Repository.scenarioFiles().count
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("same ") } == scenarios)
  }

  /// Compares the engines on random scenarios, which have revealed differences before.
  @Test(arguments: ["python", "javascript"])
  func `the example engines decide like the built-in one when plans change`(
    _ language: String
  ) async throws {
    let outcome = try await Tool.run(
      ["run", Example.stories, "--against", Example.command(language)], in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    let folder = Repository.root.appendingPathComponent(Example.stories)
    let stories = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!stories.isEmpty)
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("same ") } == stories.count)
  }

  @Test func `the scenarios of the example engines pass`() async throws {
    let out = try Folder()
    let outcome = try await Tool.run(
      ["run", Example.stories, "--reports", out.url("reports").path], in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: try Example.wrongCopies())
  func `the first wrong decision of a broken engine is located`(_ copy: Example.WrongCopy) async throws {
    let folder = try Folder()
    let command = try copy.make(in: folder)
    let outcome = try await Tool.run(["run", copy.scenario, "--against", command], in: Repository.root)
    #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
    // A sentence contains the reminder, the instant, and the decisions of both engines.
    let sentence = #/  \S+( on \S+)? at \d{4}(-\d\d){2} \d\d:\d\d.*: built-in .*; .*engine\.(py|js) .*/#
    #expect(outcome.output.contains(sentence), "\(copy.wrong): \(outcome.output)")
  }

  @Test(arguments: Broken.all)
  func `a failing engine fails the file, and the cause is reported`(_ engine: Broken) async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    try folder.write(engine.program, to: "engine.py")
    let outcome = try await folder.run("run", "small.yaml", "--engine", "python3 engine.py")
    #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains(engine.complaint), "\(engine.name): \(outcome.errors)")
    #expect(outcome.errors.contains("small.yaml"))
  }

  @Test func `a journal begins with a header and ends with the number of records`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml", "--journal", "run.ndjson")
    #expect(outcome.code == 0)
    let lines = try folder.read("run.ndjson").split(separator: "\n")
    #expect(lines.first?.contains(#""form":"triggerbench.journal","version":1"#) == true)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(#"{"track":""#) })
    #expect(lines.last == #"{"form":"triggerbench.journal.end","records":\#(lines.count - 2)}"#)
    #expect(lines.contains { $0.contains(#""track":"effect","event":"decided""#) })
  }

  @Test func `run accepts the output of expand on standard input`() async throws {
    for file in try Repository.scenarioFiles() {
      let out = try Folder()
      let lines = try await Tool.run(["expand", file], in: Repository.root)
      #expect(lines.code == 0, "\(file): \(lines.errors)")
      let report = try await Tool.run(
        ["run", file, "--json", "--reports", out.url("a").path], in: Repository.root)
      let again = try await Tool.run(
        ["run", "-", "--json", "--reports", out.url("b").path], in: Repository.root, input: lines.output)
      #expect(again.code == report.code, "\(file): \(again.errors)")
      #expect(try Self.withoutPlaces(again.output) == Self.withoutPlaces(report.output), "\(file)")
    }
  }

  @Test func `an invalid first line is rejected with its column`() async throws {
    let lines = try await Tool.run(["expand", "scenarios/unlock-after-six.yaml"], in: Repository.root)
    let later = lines.output.replacing(#""version": 1, "scenario""#, with: #""version": 2, "scenario""#)
    #expect(later != lines.output)
    let refused = try await Tool.run(["run", "-"], in: Repository.root, input: later)
    #expect(refused.code == 1)
    #expect(refused.errors.contains("1:46: error: the form of version 2 is not known"), "\(refused.errors)")
    let odd = lines.output.replacing(
      #""version": 1, "scenario""#, with: #""version": 1, "zone": 3, "scenario""#)
    let unknown = try await Tool.run(["run", "-"], in: Repository.root, input: odd)
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("zones"), "\(unknown.errors)")
  }

  @Test func `a journal does not replace a device file, and a write error is reported`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let full = try await folder.run("run", "small.yaml", "--journal", "/dev/full")
    #expect(full.code == 1 && full.errors.contains("cannot write the journal"), "\(full.errors)")
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
    #expect(type == .typeCharacterSpecial)
  }

  @Test func `an engine that endlessly requests immediate wake-ups fails`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    try folder.write(
      """
      import json, sys
      for line in sys.stdin:
          told = json.loads(line)
          kind = told.get("message")
          if kind == "hello": print('{"message":"hello","protocol":1}')
          elif kind == "program":
              reminder = next(iter(told["scenario"]["reminders"]))
              print('{"message":"ready"}')
          elif kind == "end": break
          elif kind in ("launch", "open", "settle"): print('{"message":"done","unsettled":false}')
          elif kind is None:
              print(json.dumps({"event": "wake", "reminder": reminder, "at": told["wall"]}))
              print('{"message":"done","unsettled":false}')
          sys.stdout.flush()
      """, to: "eager.py")
    let outcome = try await folder.run("run", "small.yaml", "--engine", "python3 eager.py")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("at one instant, which does not end"), "\(outcome.errors)")
  }

  /// Returns a report without the lines that identify the run.
  private static func withoutEngine(_ report: String) -> [Substring] {
    report.split(separator: "\n").filter { line in
      !["\"command\": ", "Made by", "\"geos\": ", "GEOS ", "\"engine\": "].contains { line.contains($0) }
    }
  }

  /// Returns a JSON report without file names, positions in files, and texts of files.
  private static func withoutPlaces(_ report: String) throws -> NSObject {
    func stripped(_ value: Any) -> Any {
      switch value {
      case let object as [String: Any]:
        let places: Set = ["file", "line", "column", "command", "position", "warnings", "packs", "text"]
        return object.filter { !places.contains($0.key) }.mapValues(stripped)
      case let list as [Any]: return list.map(stripped)
      default: return value
      }
    }
    let value = stripped(try JSONSerialization.jsonObject(with: Data(report.utf8)))
    return try #require(value as? NSObject)
  }
}

/// The example engines that are shipped.
enum Example {
  /// A folder of scenarios in which requests are deferred, denied, withdrawn or evaluated again.
  static let stories = "Tests/EngineExamples/stories"

  static func command(_ language: String) -> String {
    language == "python"
      ? "python3 scenarios/engines/python/engine.py" : "node scenarios/engines/javascript/engine.js"
  }

  /// A one-line change that breaks an example engine.
  struct WrongCopy: Decodable, CustomStringConvertible {
    var engine: String
    var wrong: String
    var file: String
    var line: String
    var replacement: String
    /// The scenario in which the change is detected.
    var scenario: String

    var description: String { "\(engine): \(wrong)" }

    /// Copies the engine and applies the change.
    ///
    /// - Returns: The command that starts the copy.
    func make(in folder: Folder) throws -> String {
      let copy = folder.url(engine)
      try FileManager.default.copyItem(
        at: Repository.root.appendingPathComponent("scenarios/engines/\(engine)"), to: copy)
      let name = "\(engine)/" + (file.split(separator: "/").last.map(String.init) ?? file)
      var lines = try folder.read(name).components(separatedBy: "\n")
      let places = lines.indices.filter { lines[$0] == line }
      #expect(places.count == 1, "\(self): the line stands \(places.count) times in \(file)")
      for place in places { lines[place] = replacement }
      try folder.write(lines.joined(separator: "\n"), to: name)
      return engine == "python" ? "python3 \(copy.path)/engine.py" : "node \(copy.path)/engine.js"
    }
  }

  static func wrongCopies() throws -> [WrongCopy] {
    struct File: Decodable { var copies: [WrongCopy] }
    let file = Repository.root.appendingPathComponent("Tests/EngineExamples/wrong-copies.json")
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).copies
  }
}

/// Engines that fail in various ways.
struct Broken: CustomStringConvertible {
  var name: String
  var program: String
  /// An excerpt of the expected message.
  var complaint: String

  var description: String { name }

  private static let greeting = """
    import sys, os, time, json
    def say(text):
        print(text, flush=True)
    sys.stdin.readline(); say('{"message":"hello","protocol":1,"name":"broken","capabilities":["match","caps"]}')

    """

  private static let ready = greeting + "sys.stdin.readline(); say('{\"message\":\"ready\"}')\n"

  /// An engine that answers every message but has no effects.
  static let idle =
    ready
    + "for line in sys.stdin:\n    if '\"answer\"' not in line: say('{\"message\":\"done\",\"unsettled\":false}')\n"

  static let all = [
    Broken(name: "dies at once", program: "raise SystemExit(3)", complaint: "status 3"),
    Broken(
      name: "dies in the middle", program: ready + "sys.stdin.readline(); os.kill(os.getpid(), 9)",
      complaint: "signal 9"),
    Broken(
      name: "speaks another version",
      program:
        "import sys\nsys.stdin.readline(); print('{\"message\":\"hello\",\"protocol\":9}', flush=True); input()",
      complaint: "version 9"),
    Broken(
      name: "claims one half and does the other",
      program: ready.replacing("[\"match\",\"caps\"]", with: "[\"match\"]")
        + "sys.stdin.readline(); say('{\"event\":\"wakeForRelease\",\"at\":null}'); input()",
      complaint: "claims only \"match\""),
    Broken(
      name: "answers twice",
      program: ready + "sys.stdin.readline(); say('{\"message\":\"done\"}\\n' * 2); input()",
      complaint: "without being asked"),
    Broken(
      name: "garbles", program: ready + "sys.stdin.readline(); say('{\"event\":\"reqest\"}'); input()",
      complaint: "reqest"),
    Broken(
      name: "names what is not there",
      program: ready
        + "sys.stdin.readline(); say('{\"event\":\"wake\",\"reminder\":\"mlik\",\"at\":null}'); input()",
      complaint: "mlik"),
    Broken(
      name: "floods", program: ready + "sys.stdin.readline()\nwhile True: sys.stdout.write('x' * 65536)",
      complaint: "line of more than"),
    Broken(
      name: "gives up with a reason",
      program: greeting
        + "sys.stdin.readline(); say('{\"message\":\"failed\",\"why\":\"no weekly caps\"}'); input()",
      complaint: "no weekly caps"),
  ]
}
