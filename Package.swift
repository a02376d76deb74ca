// swift-tools-version:6.2
import PackageDescription

/// The house settings: one array for every target of this package.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Tests and programs around them are compiled without optimization even where everything else is optimized, as in
/// `dev/build`: they are half of all code, and the compiler takes three times as long to optimize them as to compile them.
let unoptimized = house + [.unsafeFlags(["-Xfrontend", "-Onone"], .when(configuration: .debug))]

let nio = [
    Target.Dependency.product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOWebSocket", package: "swift-nio"),
]

/// Belongs to every use of a package that the SDK does not need, so that an app with the trait turned off does not fetch
/// the package. `dev/sdk-package` checks it.
let server: TargetDependencyCondition? = .when(traits: ["Server"])

let package = Package(
    name: "roost",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "RoostWire", targets: ["RoostWire"]),
        .library(name: "RoostClient", targets: ["RoostClient"]),
        .library(name: "RoostModels", targets: ["RoostModels"]),
        .library(name: "RoostTesting", targets: ["RoostTesting"]),
        .executable(name: "roost", targets: ["roost"]),
    ],
    traits: [
        .trait(
            name: "Server", description: "The server, the command line and RoostTesting, with the packages they need."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-transport-services", from: "1.28.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .target(name: "RoostWire", swiftSettings: house),
        .target(
            name: "RoostCore",
            dependencies: [
                "RoostWire", .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostSQLite",
            dependencies: [
                "RoostCore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: house
        ),
        .systemLibrary(
            name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "RoostPostgres",
            dependencies: ["CLibPQ", "RoostCore", .product(name: "Logging", package: "swift-log")],
            swiftSettings: house
        ),
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
        .target(
            name: "RoostNATS",
            dependencies: [
                "CNATS", "RoostCore", .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostEncryption",
            dependencies: [
                "RoostCore", "RoostWire", .product(name: "Crypto", package: "swift-crypto", condition: server),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostFiles",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostBackup",
            dependencies: [
                "RoostCore", "RoostFiles", "RoostSQLite", "RoostWire",
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostPush",
            dependencies: [
                "RoostCore", "RoostWire",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: house
        ),
        // The page. `Web` is the target's folder, so that SwiftPM runs the plugin again when a file is added there.
        .target(
            name: "RoostWeb", dependencies: ["RoostServer"], path: "Web",
            exclude: [
                "bundle", "LICENSE", "package", "package.json", "README.md", "src", "test", "tsconfig.json", "types",
            ],
            sources: ["RoostWeb.swift"],
            swiftSettings: house, plugins: ["EmbedWeb"]),
        .plugin(name: "EmbedWeb", capability: .buildTool, dependencies: ["roost-webgen"]),
        .executableTarget(name: "roost-webgen", swiftSettings: house),
        .target(
            name: "RoostServer",
            dependencies: nio + [
                "RoostClient", "RoostCore", "RoostFiles", "RoostPush", "RoostWire",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RoostClient",
            dependencies: nio + [
                "RoostWire",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTransportServices", package: "swift-nio-transport-services"),
            ],
            swiftSettings: house
        ),
        .target(name: "RoostModels", dependencies: ["RoostClient", "RoostWire"], swiftSettings: house),
        .target(
            name: "RoostTerminal", dependencies: ["RoostClient", "RoostModels", "RoostWire"], swiftSettings: unoptimized
        ),
        .target(
            name: "RoostTesting",
            dependencies: [
                "RoostClient", "RoostCore", "RoostEncryption", "RoostFiles", "RoostServer", "RoostSQLite", "RoostWire",
                // The tests of an app for iOS or macOS build without libpq.
                .target(name: "RoostPostgres", condition: .when(platforms: [.linux])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: server),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: house
        ),
        .executableTarget(
            name: "roost",
            dependencies: [
                "RoostBackup", "RoostClient", "RoostCore", "RoostEncryption", "RoostFiles", "RoostNATS",
                "RoostPostgres", "RoostPush", "RoostServer", "RoostSQLite", "RoostTerminal", "RoostWeb", "RoostWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Configuration", package: "swift-configuration", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
                .product(name: "Yams", package: "Yams", condition: server),
            ],
            swiftSettings: unoptimized
        ),
        // For dev/bench; apps and servers do not ship it.
        .executableTarget(
            name: "roost-bench",
            dependencies: [
                "RoostClient", "RoostCore", "RoostFiles", "RoostModels", "RoostPostgres", "RoostServer", "RoostSQLite",
                "RoostWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: unoptimized
        ),
        .executableTarget(
            name: "ChatApp", dependencies: ["RoostClient", "RoostModels", "RoostWire"], path: "Examples/ChatApp",
            swiftSettings: unoptimized),
        // A client to be killed; only tests start it.
        .executableTarget(
            name: "store-client", dependencies: ["RoostClient", "RoostWire"], path: "Tests/StoreClient",
            swiftSettings: unoptimized),
        // Thousands of clients to be cut off; only tests start it.
        .executableTarget(
            name: "storm-clients", dependencies: ["RoostClient", "RoostWire"], path: "Tests/StormClients",
            swiftSettings: unoptimized),
        // Records what SQLite writes; only tests use it.
        .target(name: "TracedDisk", path: "Tests/TracedDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        // One example of everything that travels; no product has it.
        .target(name: "WireExamples", dependencies: ["RoostWire"], swiftSettings: unoptimized),
        .executableTarget(
            name: "roost-wiregen", dependencies: ["RoostWire", "WireExamples"], swiftSettings: unoptimized),
        .testTarget(name: "RoostWireTests", dependencies: ["RoostWire", "WireExamples"], swiftSettings: unoptimized),
        .testTarget(
            name: "RoostCoreTests",
            dependencies: [
                "RoostClient", "RoostCore", "RoostEncryption", "RoostPostgres", "RoostSQLite", "RoostTesting",
                "RoostWire", "TracedDisk", "WireExamples",
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostEncryptionTests",
            dependencies: ["RoostCore", "RoostEncryption"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostNATSTests",
            dependencies: [
                "CNATS", "RoostCore", "RoostNATS", "RoostTesting", "RoostWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostFilesTests",
            dependencies: [
                "RoostFiles", "RoostTesting",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostServerTests",
            dependencies: nio + [
                "RoostCore", "RoostFiles", "RoostPush", "RoostServer", "RoostSQLite", "RoostTesting", "RoostWeb",
                "RoostWire",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: server),
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostClientTests",
            dependencies: [
                "RoostClient", "RoostTesting", "RoostWire", "WireExamples",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostModelsTests",
            dependencies: ["RoostClient", "RoostModels", "RoostTesting", "RoostWire"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostTerminalTests",
            dependencies: ["RoostClient", "RoostModels", "RoostTerminal", "RoostWire"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "RoostCommandTests",
            dependencies: [
                "roost", "roost-bench", "RoostCore", "RoostTesting", "RoostWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "roost", "roost-bench", "RoostClient", "RoostCore", "RoostModels", "RoostServer", "RoostSQLite",
                "RoostTesting", "RoostWire",
                "store-client", "storm-clients",
                .product(name: "Crypto", package: "swift-crypto", condition: server),
            ],
            exclude: ["Matrix.tsv"],
            swiftSettings: unoptimized
        ),
    ]
)
