// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// A library target; the order of the calls below is the order of the layers, lowest first.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A target's tests; `golden` when they compare with files in a folder of that name.
func tests(_ subject: String, _ dependencies: [Target.Dependency] = [], golden: Bool = false) -> Target {
  .testTarget(
    name: subject + "Tests", dependencies: [.init(stringLiteral: subject), "TestSupport"] + dependencies,
    exclude: golden ? ["Golden"] : [], swiftSettings: strict)
}

let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

let package = Package(
  name: "triggerbench",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "triggerbench", targets: ["triggerbench"]),
    .library(
      name: "ReminderEngine",
      targets: [
        "TriggerModel", "DeterministicMath", "CivilTime", "BitRows", "ReminderMatching", "ReminderGrowth",
        "ReminderPlans", "ReminderEngine",
      ]),
    .library(name: "NotificationGateway", targets: ["TriggerModel", "CivilTime", "NotificationGateway"]),
    .library(
      name: "TriggerEngine",
      targets: [
        "TriggerModel", "DeterministicMath", "CivilTime", "BitRows", "ReminderMatching", "ReminderGrowth",
        "ReminderPlans", "ReminderEngine", "NotificationGateway", "TriggerEngine",
      ]),
    .library(name: "TestBench", targets: ["TriggerModel", "SimulationKernel", "TestBench", "Oracles"]),
    .library(name: "TestBenchTesting", targets: ["TestBenchTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    layer("DeterministicMath"),
    layer("TriggerModel"),
    .target(name: "CChildProcess"), layer("EngineProcess", ["CChildProcess"]),
    layer("CivilTime", ["TriggerModel"]),
    layer("BitRows", ["CivilTime"]),
    layer("ReminderMatching", ["TriggerModel", "DeterministicMath", "CivilTime", "BitRows"]),
    layer("ReminderGrowth", ["TriggerModel", "CivilTime", "BitRows", "ReminderMatching"]),
    layer("ReminderPlans", ["TriggerModel", "CivilTime"]),
    layer("ReminderEngine", ["BitRows", "ReminderGrowth", "ReminderPlans"]),
    layer("NotificationGateway", ["TriggerModel", "CivilTime"]),
    layer("TriggerEngine", ["TriggerModel", "ReminderEngine", "NotificationGateway"]),
    .target(name: "CPrefetch"),
    layer("SimulationKernel", ["CPrefetch", "TriggerModel", "DeterministicMath"]),
    .systemLibrary(name: "CGEOS", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
    layer("PersonModel", ["TriggerModel", "DeterministicMath", "CivilTime", "SimulationKernel"]),
    layer("Geofencing", ["TriggerModel", "DeterministicMath", "CGEOS"]),
    layer("PlatformProfiles", ["TriggerModel"]),
    layer("BatteryModel", ["TriggerModel", "DeterministicMath", "PlatformProfiles"]),
    layer("UsageModel", ["TriggerModel"]),
    layer("AppModel", ["TriggerModel"]),
    layer(
      "DeviceSimulation",
      [
        "TriggerModel", "DeterministicMath", "CivilTime", "SimulationKernel", "Geofencing",
        "PlatformProfiles", "BatteryModel", "UsageModel", "AppModel",
      ]),
    layer("Recordings", ["TriggerModel", "DeterministicMath", "CivilTime"]),
    layer("RecordedDays", ["Recordings"]),
    layer("TextFormats", ["TriggerModel", yams]),
    layer("MonicaImport", ["TriggerModel", "CivilTime", "Recordings", "TextFormats"]),
    layer(
      "ScenarioModel",
      [
        "TriggerModel", "CivilTime", "ReminderEngine", "NotificationGateway", "PersonModel",
        "DeviceSimulation", "TextFormats",
      ]),
    layer("Experiments", ["ScenarioModel", "PersonModel"]),
    layer("ScenarioGrammar", ["ScenarioModel"]),
    layer("TimelineGrammar", ["ScenarioGrammar"]),
    layer("ItemGrammar", ["ScenarioGrammar"]),
    layer("SentenceGrammar", ["ScenarioGrammar"]),
    layer("ViewGrammar", ["ScenarioGrammar"]),
    layer("PlanGrammar", ["ScenarioGrammar"]),
    layer("ExpectationGrammar", ["TimelineGrammar", "ViewGrammar"]),
    layer(
      "ScenarioFiles",
      [
        "TimelineGrammar", "ItemGrammar", "SentenceGrammar", "PlanGrammar", "ExpectationGrammar",
        "Recordings",
      ],
      resources: ["contacts", "context", "fitme", "plants"].map { .embedInCode("Packs/\($0).yaml") }),
    layer("PopulationFiles", ["ScenarioFiles", "PersonModel", "RecordedDays"]),
    layer("ExperimentFiles", ["ScenarioFiles", "Experiments"]),
    layer("ExperimentReports", ["Experiments", "Pages"]),
    layer("Journal", ["ScenarioModel", "Recordings"]),
    layer("SyncService", ["Journal"]),
    layer("ScenarioPrograms", ["Journal", "TriggerEngine", "Recordings"]),
    layer("Views", ["Journal"]),
    layer("Simulation", ["SyncService", "Views", "ScenarioPrograms", histogram]),
    layer("EngineWire", ["EngineProcess", "Journal", "TriggerEngine", "Recordings"]),
    layer("CapAccounts", ["NotificationGateway"]), layer("DueAccounts", ["DeviceSimulation"]),
    layer("Statistics", ["SyncService", "ScenarioPrograms", "CapAccounts", "DueAccounts"]),
    layer("ShownTexts", ["ScenarioPrograms"]),
    layer("Chronology", ["Statistics", "ShownTexts"]),
    layer("ReportWords", ["Statistics", "Experiments"]),
    layer("Pages", ["TextFormats"]),
    layer("PopulationRuns", ["PopulationFiles", "ExperimentFiles", "Simulation"]),
    layer(
      "Oracles",
      [
        "TriggerModel", "CivilTime", "ReminderEngine", "NotificationGateway", "Geofencing", "Recordings",
        "TextFormats",
      ]),
    layer("EnginesUnderTest", ["EngineWire", "ScenarioFiles", "ScenarioPrograms"]),
    layer("Explanations", ["ScenarioFiles", "Simulation", "Statistics", "EnginesUnderTest"]),
    layer("TestBench", ["PopulationFiles", "Simulation", "Explanations", "Chronology", "Views"]),
    layer("ExpectationUpdates", ["TestBench"]),
    layer("TestBenchTesting", ["TestBench"]),
    .target(name: "CFolderExchange"),
    layer(
      "Reporting",
      [
        "TestBench", "Chronology", "ReportWords", "Pages", "PersonModel", "SentenceGrammar",
        "CFolderExchange", "Views",
      ]),
    layer(
      "Reference",
      [
        "Reporting", "ReportWords", "ExperimentFiles", "PopulationFiles", "PlatformProfiles",
        "SentenceGrammar",
      ]),
    layer("RunComparison", ["ScenarioModel", "Journal", "TextFormats"]),
    .target(name: "CAllocations"),
    layer("BenchmarkStories", ["TriggerModel", "CivilTime"]),
    .target(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkStories", "TestBench", "Oracles", "SimulationKernel", "Experiments", "PopulationRuns",
        "DeterministicMath",
        "CAllocations", "CGEOS", heap, histogram,
      ],
      resources: ["hold.cpp", "population.c", "bitmap.cpp"].map { .embedInCode("Comparisons/\($0)") },
      swiftSettings: strict),
    layer("BenchmarkComparison", ["BenchmarkStories", "Benchmarks", "DeterministicMath", "TextFormats"]),
    .executableTarget(
      name: "triggerbench",
      dependencies: [
        "Reporting", "ReportWords", "Reference", "RunComparison", "Oracles", "PersonModel",
        "BenchmarkStories", "Benchmarks", "BenchmarkComparison",
        "PopulationRuns", "ExperimentReports", "ExpectationUpdates", "MonicaImport", arguments,
      ],
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "RandomScenarios", dependencies: ["TestSupport", "ScenarioModel"], path: "Tests/RandomScenarios",
      swiftSettings: strict),
    .target(
      name: "ScenarioSamples", dependencies: ["ScenarioFiles"], path: "Tests/ScenarioSamples",
      swiftSettings: strict),
    .target(
      name: "PlatformRuns", dependencies: ["ScenarioSamples", "TestBench"], path: "Tests/PlatformRuns",
      swiftSettings: strict),
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict),
    tests("DeterministicMath"),
    tests("TriggerModel"),
    tests("EngineProcess"),
    tests("CivilTime"),
    tests("BitRows", ["CivilTime"]), tests("ReminderEngine", ["TriggerEngine"]),
    tests("NotificationGateway"),
    tests("SimulationKernel", [heap]),
    tests("PersonModel", ["SimulationKernel"]),
    tests("Geofencing"),
    tests(
      "DeviceSimulation",
      ["TriggerModel", "CivilTime", "SimulationKernel", "Geofencing", "BatteryModel", "RandomScenarios"]),
    tests("DueAccounts", ["RandomScenarios"]), tests("Recordings", golden: true),
    tests("Experiments", ["ExperimentFiles", "ExperimentReports"]),
    .testTarget(
      name: "ScenariosTests", dependencies: ["TestSupport", "RandomScenarios", "ScenarioSamples"],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "SentenceTests", dependencies: ["TestSupport", "RandomScenarios", "ScenarioSamples"],
      exclude: ["Golden"], swiftSettings: strict),
    tests("RecordedDays"),
    tests("MonicaImport", ["ScenarioFiles"]),
    tests("PopulationFiles"),
    tests("PopulationRuns", ["TestBench"]),
    tests("Views", ["TestBench", "ScenarioSamples"]),
    tests("SyncService", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests("Journal", ["TestBench", "ScenarioSamples"]),
    tests("ScenarioPrograms", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests("Simulation", ["TestBench", "ScenarioSamples"]),
    tests("CapAccounts"),
    tests("Statistics", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests("EngineWire", ["TestBench", "PlatformRuns"]),
    tests("Oracles", ["TestBench"]),
    tests("Explanations", ["TestBench", "RandomScenarios", "PlatformRuns"]),
    tests("TestBench", ["RandomScenarios", "PlatformRuns"]),
    tests("ExpectationUpdates", ["RandomScenarios"]),
    tests("ReportWords"),
    tests("Reporting", ["PersonModel", "ScenarioSamples"]),
    tests("Reference", ["TestBench"]),
    tests("RunComparison", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests("Benchmarks", ["Geofencing"]),
    tests("BenchmarkComparison", ["Benchmarks"]),
    .testTarget(
      name: "CommandLineTests", dependencies: ["TestSupport", "triggerbench", "CChildProcess"],
      exclude: ["Golden"],
      swiftSettings: strict),
  ]
)

// SwiftPM builds a target anew when a target changes that it names, and not for one further down; but layouts and
// bodies to be inlined come through all layers between. So each names all that is below it.
var below: [String: [Target.Dependency]] = [:]
for target in package.targets {
  var names: Set<String> = []
  target.dependencies = target.dependencies.flatMap { dependency in
    if case .byNameItem(let name, _) = dependency { (below[name] ?? []) + [dependency] } else { [dependency] }
  }.filter { dependency in
    switch dependency {
    case .byNameItem(let name, _), .productItem(let name, _, _, _), .targetItem(let name, _):
      names.insert(name).inserted
    @unknown default: true
    }
  }
  below[target.name] = target.dependencies
}
