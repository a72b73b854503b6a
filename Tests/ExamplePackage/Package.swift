// swift-tools-version: 6.2
import PackageDescription

// A package that uses only the products of TriggerBench, like any other package.
let package = Package(
  name: "ExamplePackage",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "triggerbench", path: "../..")],
  targets: [
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        .product(name: "TestBench", package: "triggerbench"),
        .product(name: "TestBenchTesting", package: "triggerbench"),
        .product(name: "TriggerEngine", package: "triggerbench"),
      ])
  ]
)
