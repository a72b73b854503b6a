// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Returns a library target: one room of the house.
func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// Returns the tests of a room.
///
/// - Parameter golden: Whether the tests compare results with files in the folder `Golden`.
func tests(of room: String, _ dependencies: [Target.Dependency] = [], golden: Bool = false) -> Target {
  .testTarget(
    name: room + "Tests", dependencies: [.init(stringLiteral: room), "TestSupport"] + dependencies,
    exclude: golden ? ["Golden"] : [], swiftSettings: strict)
}

let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

// The floors of the house, lowest first. A room may import only rooms above it in this file.

/// What an app ships: no GEOS, no simulator, no Foundation on the hot path.
let shipped: [Target] = [
  room("TriggerModel"),
  room("CivilTime", ["TriggerModel"]),
  room("ReminderMatching", ["TriggerModel", "CivilTime"]),
  room("ReminderEngine", ["TriggerModel", "CivilTime", "ReminderMatching"]),
  room("NotificationGateway", ["TriggerModel", "CivilTime"]),
  room("TriggerEngine", ["TriggerModel", "ReminderMatching", "ReminderEngine", "NotificationGateway"]),
]

/// The simulated world: clock, phone, place, person.
let world: [Target] = [
  room("SimulationKernel", ["CPrefetch", "TriggerModel"]),
  room("Geofencing", ["CGEOS", "TriggerModel"]),
  room("PersonModel", ["TriggerModel", "CivilTime", "SimulationKernel"]),
  room("DeviceSimulation", ["TriggerModel", "CivilTime", "SimulationKernel", "Geofencing"]),
]

/// Files: what people and recordings say, and what a run writes down.
let files: [Target] = [
  room("TextFormats", ["TriggerModel", yams]),
  room("Recordings", ["TriggerModel", "CivilTime", "TextFormats"]),
  room(
    "ScenarioModel",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "NotificationGateway", "PersonModel",
      "DeviceSimulation", "TextFormats",
    ]),
  room(
    "Scenarios",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "NotificationGateway",
      "SimulationKernel", "PersonModel", "DeviceSimulation", "TextFormats", "Recordings", "ScenarioModel",
    ],
    resources: ["contacts", "context", "fitme", "plants"].map { .embedInCode("Files/Packs/\($0).yaml") }),
  room(
    "Journal",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "NotificationGateway", "DeviceSimulation",
      "TextFormats", "Recordings", "ScenarioModel",
    ]),
]

/// Runs: a scenario played, measured, explained and repeated over many people.
let runs: [Target] = [
  room(
    "Simulation",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "NotificationGateway",
      "TriggerEngine", "SimulationKernel", "Geofencing", "PersonModel", "DeviceSimulation", "TextFormats",
      "Recordings", "ScenarioModel", "Journal", histogram,
    ]),
  room(
    "EngineWire",
    [
      "CChildProcess", "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine",
      "NotificationGateway", "TriggerEngine", "TextFormats", "Recordings", "ScenarioModel", "Scenarios",
      "Journal", "Simulation",
    ]),
  room(
    "Statistics",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "NotificationGateway",
      "DeviceSimulation", "TextFormats", "ScenarioModel", "Scenarios", "Journal", "Simulation",
    ]),
  room(
    "TestBench",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "NotificationGateway",
      "TriggerEngine", "Geofencing", "DeviceSimulation", "TextFormats", "Recordings", "ScenarioModel",
      "Scenarios", "Journal", "Simulation", "EngineWire", "Statistics",
    ]),
  room(
    "Experiments",
    [
      "TriggerModel", "CivilTime", "ReminderMatching", "NotificationGateway", "SimulationKernel",
      "PersonModel", "DeviceSimulation", "TextFormats", "Recordings", "ScenarioModel", "Scenarios", "Journal",
      "Simulation",
    ]),
  .target(
    name: "Benchmarks",
    dependencies: [
      "CAllocations", "CGEOS", "CPrefetch", "TriggerModel", "CivilTime", "ReminderMatching",
      "ReminderEngine", "NotificationGateway", "TriggerEngine", "SimulationKernel", "Geofencing",
      "PersonModel", "DeviceSimulation", "TextFormats", "Recordings", "ScenarioModel", "Scenarios", "Journal",
      "Simulation", "EngineWire", "Statistics", "TestBench", "Experiments", heap, histogram,
    ],
    resources: ["hold.cpp", "population.c", "bitmap.cpp"].map { .embedInCode("Comparisons/\($0)") },
    swiftSettings: strict),
]

/// What people see.
let visible: [Target] = [
  room(
    "Reporting",
    [
      "CFolderExchange", "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine",
      "NotificationGateway", "PersonModel", "DeviceSimulation", "TextFormats", "Recordings", "ScenarioModel",
      "Scenarios", "Journal", "Simulation", "Statistics", "TestBench", "Experiments",
    ]),
  room("TestBenchTesting", ["TestBench"]),
  .executableTarget(
    name: "triggerbench",
    dependencies: [
      "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "PersonModel", "DeviceSimulation",
      "TextFormats", "Recordings", "ScenarioModel", "Scenarios", "Journal", "Simulation", "EngineWire",
      "Statistics", "TestBench", "Experiments", "Benchmarks", "Reporting", arguments,
    ],
    swiftSettings: strict),
]

/// C shims: what Swift on Linux cannot call or express.
let shims: [Target] = [
  .systemLibrary(name: "CGEOS", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
  .target(name: "CPrefetch"),
  .target(name: "CChildProcess"),
  .target(name: "CFolderExchange"),
  .target(name: "CAllocations"),
]

/// What the tests of several rooms share.
let testSupport: [Target] = [
  .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
  .target(
    name: "RandomScenarios",
    dependencies: [
      "TestSupport", "TriggerModel", "CivilTime", "ReminderMatching", "NotificationGateway", "PersonModel",
      "DeviceSimulation", "TextFormats", "ScenarioModel",
    ],
    path: "Tests/RandomScenarios", swiftSettings: strict),
  .target(
    name: "ScenarioSamples", dependencies: ["TextFormats", "ScenarioModel", "Scenarios"],
    path: "Tests/ScenarioSamples", swiftSettings: strict),
  .target(
    name: "PlatformRuns",
    dependencies: [
      "TestSupport", "ScenarioSamples", "TriggerModel", "ReminderMatching", "TextFormats", "Scenarios",
      "Simulation", "Statistics", "TestBench",
    ],
    path: "Tests/PlatformRuns", swiftSettings: strict),
]

let package = Package(
  name: "triggerbench",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "triggerbench", targets: ["triggerbench"]),
    .library(
      name: "ReminderEngine",
      targets: ["TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine"]),
    .library(name: "NotificationGateway", targets: ["TriggerModel", "CivilTime", "NotificationGateway"]),
    .library(
      name: "TriggerEngine",
      targets: [
        "TriggerModel", "CivilTime", "ReminderMatching", "ReminderEngine", "NotificationGateway",
        "TriggerEngine",
      ]),
    .library(name: "TestBench", targets: ["TriggerModel", "SimulationKernel", "TestBench"]),
    .library(name: "TestBenchTesting", targets: ["TestBenchTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: shims + shipped + world + files + runs + visible + testSupport + [
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict),
    tests(of: "TriggerModel"),
    tests(of: "CivilTime", ["TriggerModel"], golden: true),
    tests(of: "ReminderMatching", ["CivilTime"]),
    tests(of: "ReminderEngine", ["TriggerEngine"]),
    tests(of: "NotificationGateway"),
    tests(of: "SimulationKernel", [heap]),
    tests(of: "Geofencing"),
    tests(of: "PersonModel", ["SimulationKernel"]),
    tests(of: "DeviceSimulation", ["RandomScenarios"]),
    tests(of: "Recordings", ["Scenarios"], golden: true),
    tests(of: "Scenarios", ["RandomScenarios", "ScenarioSamples"], golden: true),
    tests(of: "Journal", ["TestBench", "ScenarioSamples"]),
    tests(of: "Simulation", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests(of: "EngineWire", ["TestBench", "PlatformRuns"]),
    tests(of: "Statistics", ["TestBench", "RandomScenarios", "ScenarioSamples"]),
    tests(of: "TestBench", ["RandomScenarios", "PlatformRuns"], golden: true),
    tests(of: "Experiments", ["TestBench", "Reporting"]),
    tests(of: "Benchmarks"),
    tests(of: "Reporting", ["RandomScenarios", "ScenarioSamples"]),
    .testTarget(
      name: "CommandLineTests", dependencies: ["TestSupport", "triggerbench", "CChildProcess"],
      exclude: ["Golden"], swiftSettings: strict),
  ]
)
