// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The data's way: `RenderedTree` → `MarkupDocument` → `NodeObservation` → `MirrorViews` →
/// `LiveViewMirror` → `MirrorAnalysis` → `MirrorChecks` and `MirrorInspector` → `liveview-mirror`.
/// `CLibrary` and `MirrorSupport` are the base of all. `script/test` builds with
/// `--explicit-target-dependency-import-check error`: an import against this order does not
/// compile.

// MARK: - Settings

/// CI sets `MIRROR_STRICT`: a warning is an error there and stays a warning on a developer's
/// machine.
let strict: [SwiftSetting] =
  Context.environment["MIRROR_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  strict + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]

/// What the build is for. The scripts set `MIRROR_BUILD`; a package that another one depends on may
/// not have unsafe flags.
///
/// `tests`: the modules of the update process with most work are optimised also in debug, because
/// their tests compute for minutes otherwise. `quick`: as `tests`, without swift-nio-ssl, a fifth
/// of the build, and without the programs that measure.
let build = Context.environment["MIRROR_BUILD"]
let isQuick = build == "quick"
let optimised: [SwiftSetting] =
  build == nil ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], _ flags: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: ["CLibrary"] + dependencies, swiftSettings: settings + flags)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ["CLibrary", .init(stringLiteral: name)] + dependencies, swiftSettings: settings
  )
}

/// A product of a package that users of the libraries do not need: it is fetched only with the
/// trait `Programs`.
func program(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Programs"]))
}

/// Combine, where the system has none.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux]))

/// `MIRROR_TESTS=LiveViewMirror,MarkupDocument swift test` builds only the named tests and what
/// they need, for a short build while working.
let chosenTests = Context.environment["MIRROR_TESTS"]?.split(separator: ",").map(String.init)

// MARK: - Package

let package = Package(
  name: "liveview-mirror",
  platforms: [.macOS(.v15), .iOS(.v18)],
  // Each library is useful alone. The last one is the whole pipeline.
  products: [
    .library(name: "RenderedTree", targets: ["RenderedTree"]),
    .library(name: "MarkupDocument", targets: ["MarkupDocument"]),
    .library(name: "NodeObservation", targets: ["MarkupDocument", "NodeObservation"]),
    .library(name: "MirrorViews", targets: ["MarkupDocument", "NodeObservation", "MirrorViews"]),
    .library(
      name: "LiveViewMirror",
      targets: ["RenderedTree", "MarkupDocument", "NodeObservation", "MirrorViews", "LiveViewMirror"]),
    .executable(name: "liveview-mirror", targets: ["liveview-mirror"]),
  ],
  traits: [
    .default(enabledTraits: ["Programs", "Client"]),
    .trait(name: "Programs", description: "The packages that the server, the journal and the checks need."),
    .trait(name: "Client", description: "swift-nio, which the product LiveViewClient needs."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // What every module uses: the system's C library; the lock, bytes, JSON on its way out.
    .target(name: "CLibrary", swiftSettings: settings),
    library("MirrorSupport", [], optimised),

    // The update process.
    .systemLibrary(
      name: "CSimdjsonLibrary", pkgConfig: "simdjson", providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
    .target(name: "CSimdjson", dependencies: ["CSimdjsonLibrary"]),
    library("RenderedTree", ["MirrorSupport", "CSimdjson"], optimised),
    library("MarkupDocument", ["MirrorSupport"], optimised),
    library("NodeObservation", ["MirrorSupport", "MarkupDocument", openCombine], optimised),
    library("MirrorViews", ["MirrorSupport", "MarkupDocument", "NodeObservation", openCombine]),
    library(
      "LiveViewMirror", ["MirrorSupport", "RenderedTree", "MarkupDocument", "NodeObservation", "MirrorViews"], optimised
    ),

    // What is derived from its log.
    library(
      "MirrorAnalysis", ["MirrorSupport", "RenderedTree", "MarkupDocument", "NodeObservation", "LiveViewMirror"],
      optimised),

    // Where it is kept.
    .target(name: "CPostgres"),
    library(
      "MirrorJournal",
      ["MirrorSupport", "LiveViewMirror", "CPostgres", program("GRDB", "GRDB.swift")]),

    // What a recording costs, and whether that is within a budget.
    library(
      "MirrorChecks",
      [
        "MirrorSupport", "LiveViewMirror", "MirrorAnalysis", "MarkupDocument", "NodeObservation", "CYAML",
      ]),

    // The server that shows it.
    .systemLibrary(
      name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    library("MicroHTTP", ["MirrorSupport", "CMicrohttpd", "CZlib"]),
    library(
      "MirrorInspector",
      [
        "MirrorSupport", "LiveViewMirror", "MirrorAnalysis", "MirrorViews", "RenderedTree", "MarkupDocument",
        "NodeObservation",
        "MicroHTTP",
      ]),
    // What both programs have in common.
    library("CommandSupport", [program("ArgumentParser", "swift-argument-parser")]),
    .executableTarget(
      name: "liveview-mirror",
      dependencies: [
        "CLibrary", "CommandSupport", "MirrorSupport", "MirrorChecks", "MirrorInspector", "LiveViewMirror",
        "MirrorAnalysis", "MirrorJournal",
        "MarkupDocument",
        "MicroHTTP",
        "RenderedTree",
        program("ArgumentParser", "swift-argument-parser"),
        program("Logging", "swift-log"),
      ], swiftSettings: settings),

    // Tests and measurements.
    library("Benchmarking", ["MirrorSupport"]),
    .target(name: "RecordingFixtures", path: "Tests/RecordingFixtures", swiftSettings: settings),
    .target(name: "PostgresFixture", path: "Tests/PostgresFixture", swiftSettings: settings),
    tests(of: "MirrorSupport"),
    tests(of: "RenderedTree", ["RecordingFixtures"]),
    .target(
      name: "DocumentInvariants", dependencies: ["MarkupDocument", "MirrorSupport"], path: "Tests/DocumentInvariants",
      swiftSettings: settings),
    tests(of: "MarkupDocument", ["RecordingFixtures", "DocumentInvariants"]),
    .target(
      name: "TestSupport",
      dependencies: ["CLibrary", "MirrorSupport", "MarkupDocument", "NodeObservation", "LiveViewMirror", openCombine],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests(
      of: "NodeObservation",
      ["TestSupport", "DocumentInvariants", "MirrorSupport", "MarkupDocument", openCombine]),
    tests(
      of: "MirrorViews",
      [
        "TestSupport", "RecordingFixtures", "MirrorSupport", "MarkupDocument", "NodeObservation", openCombine,
        .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "FuzzInputs",
      dependencies: [
        "LiveViewMirror", "MirrorAnalysis", "RenderedTree", "MarkupDocument", "RecordingFixtures", "DocumentInvariants",
      ],
      path: "Tests/FuzzInputs", swiftSettings: settings),
    tests(
      of: "LiveViewMirror",
      [
        "TestSupport", "MirrorSupport", "RenderedTree", "MarkupDocument", "NodeObservation", "MirrorViews",
        "RecordingFixtures", "DocumentInvariants", "FuzzInputs", "MirrorAnalysis",
      ]),
    tests(
      of: "MirrorJournal",
      [
        "TestSupport", "MirrorSupport", "LiveViewMirror", "MirrorAnalysis", "MirrorInspector", "MicroHTTP",
        "RecordingFixtures", "PostgresFixture",
        program("GRDB", "GRDB.swift"),
      ]),
    tests(of: "MirrorChecks", ["MarkupDocument", "RecordingFixtures"]),
    tests(of: "MicroHTTP", ["CZlib"]),
    tests(of: "Benchmarking", ["LiveViewMirror", "RenderedTree", "MarkupDocument", "NodeObservation", "MirrorViews"]),
    tests(
      of: "MirrorInspector",
      [
        "MirrorSupport", "LiveViewMirror", "MirrorAnalysis", "MirrorViews", "RenderedTree", "MarkupDocument",
        "NodeObservation",
        "MicroHTTP",
        "RecordingFixtures",
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "TestSupport", "LiveViewMirror", "RenderedTree", "MarkupDocument", "NodeObservation", "MirrorViews",
        "RecordingFixtures", openCombine,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "liveview-mirror", "CommandSupport", "LiveViewMirror", "MicroHTTP", "MirrorChecks", "RecordingFixtures",
        "PostgresFixture",
        program("ArgumentParser", "swift-argument-parser"),
        program("Logging", "swift-log"),
      ], swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)

// MARK: - Programs that measure

if !isQuick {
  package.targets += [
    .target(name: "CMeasurement"),
    .executableTarget(
      name: "MirrorBenchmarks",
      dependencies: [
        "Benchmarking", "CLibrary", "CMeasurement", "MirrorSupport", "LiveViewMirror", "MirrorAnalysis",
        "NodeObservation",
        "MirrorViews", "RenderedTree",
        "MarkupDocument", openCombine,
        program("ArgumentParser", "swift-argument-parser"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "MirrorGrowth",
      dependencies: [
        "Benchmarking", "CLibrary", "CMeasurement", "MirrorSupport", "MirrorInspector", "MirrorChecks",
        "LiveViewMirror", "MirrorAnalysis",
        "NodeObservation",
        "MirrorViews",
        "RenderedTree", "MarkupDocument", "MicroHTTP",
        program("ArgumentParser", "swift-argument-parser"),
      ], path: "Tests/Growth", swiftSettings: settings),
  ]
  #if os(Linux)
    package.targets += [
      // A program that puts the mirror under load and attacks it (script/load): it needs epoll and
      // /proc.
      .target(name: "CLoad", path: "Tests/CLoad"),
      .executableTarget(
        name: "MirrorLoad",
        dependencies: [
          "CLoad", "RecordingFixtures", program("ArgumentParser", "swift-argument-parser"),
        ], path: "Tests/Load", exclude: ["Throughput"], swiftSettings: settings),
    ]
  #endif
}

// MARK: - What needs swift-nio

/// The test targets that need swift-nio.
let nioTests: Set = ["Attach", "Browser", "LiveViewClient"]

func nio(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-nio", condition: .when(traits: ["Client"])) }
}

/// TLS of the LiveView client, and the condition under which its code is compiled.
let tls: [Target.Dependency] =
  isQuick ? [] : [.product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Client"]))]
let withTLS: [SwiftSetting] = isQuick ? [] : [.define("MIRROR_TLS")]

/// `MIRROR_WITHOUT_NIO` leaves out what needs swift-nio, so that it is neither fetched nor built:
/// the LiveView client, the program `liveview-mirror-attach`, and the tests with a server of
/// WebSockets. `script/build` and `script/release` set it.
if Context.environment["MIRROR_WITHOUT_NIO"] == nil, chosenTests.map({ !nioTests.isDisjoint(with: $0) }) ?? true {
  package.dependencies.append(.package(url: "https://github.com/apple/swift-nio", from: "2.101.0"))
  if !isQuick { package.dependencies.append(.package(url: "https://github.com/apple/swift-nio-ssl", from: "2.36.0")) }
  package.products += [
    .library(name: "LiveViewClient", targets: ["LiveViewClient"]),
    .executable(name: "liveview-mirror-attach", targets: ["liveview-mirror-attach"]),
  ]
  package.targets += [
    .target(
      name: "LiveViewClient",
      dependencies: ["CLibrary", "MirrorSupport", "RenderedTree", "MarkupDocument", "LiveViewMirror"]
        + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket") + tls,
      swiftSettings: settings + withTLS),
    .executableTarget(
      name: "liveview-mirror-attach",
      dependencies: [
        "CLibrary", "CommandSupport", "LiveViewClient", "LiveViewMirror", "MarkupDocument", "MirrorChecks",
        "MirrorSupport", "RenderedTree",
        program("ArgumentParser", "swift-argument-parser"),
      ], swiftSettings: settings),
    .target(
      name: "ScriptedPhoenix",
      dependencies: ["CLibrary", "RecordingFixtures"] + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"),
      path: "Tests/ScriptedPhoenix", swiftSettings: settings),
    .testTarget(
      name: "LiveViewClientTests",
      dependencies: [
        "LiveViewClient", "MirrorSupport", "LiveViewMirror", "MarkupDocument", "RecordingFixtures", "ScriptedPhoenix",
      ] + nio("NIOCore", "NIOEmbedded", "NIOWebSocket") + tls,
      swiftSettings: settings + withTLS),
    .testTarget(
      name: "AttachTests",
      dependencies: [
        "CLibrary", "liveview-mirror", "liveview-mirror-attach", "LiveViewClient", "RecordingFixtures",
        "ScriptedPhoenix",
      ],
      swiftSettings: settings),
  ]
  #if os(Linux)
    // What only a browser can tell, against the program.
    package.targets.append(
      .testTarget(
        name: "BrowserTests", dependencies: ["liveview-mirror", "MicroHTTP", "RecordingFixtures", "ScriptedPhoenix"],
        swiftSettings: settings))
  #endif
}

// MARK: - The fuzzer

/// `MIRROR_FUZZ`, as `script/fuzz` sets it: the program cannot be linked without the runtime of
/// `-sanitize=fuzzer`.
if Context.environment["MIRROR_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "MirrorFuzz", dependencies: ["FuzzInputs", "RecordingFixtures"], path: "Tests/Fuzz", exclude: ["wire.dict"],
      swiftSettings: settings)
  ]
}

if let chosenTests {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var pending = chosenTests.map { "\($0)Tests" }
  while let name = pending.popLast() {
    guard let target = targets[name], needed.insert(name).inserted else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { pending.append(dependency) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}

// MARK: - Without the folder of the tests

// The image is built without it, so that a change of a test does not build the image again.
if !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
