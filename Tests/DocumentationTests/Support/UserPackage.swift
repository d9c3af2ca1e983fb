import Foundation

/// The package of a user, as SwiftPM reads it.
final class UserPackage {
  struct Product: Equatable {
    let name: String
    let package: String
  }

  private struct Manifest: Decodable {
    struct Target: Decodable { let dependencies: [Dependency] }
    /// A product by name and package, as SwiftPM reports it.
    struct Dependency: Decodable { let product: [Part?]? }
    struct Part: Decodable {
      let text: String?
      init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }
    let targets: [Target]
  }

  private let folder: URL

  init(dependencies: String, targetDependencies: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "user-package-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "user", dependencies: [\(dependencies)],
        targets: [.executableTarget(name: "user", dependencies: [\(targetDependencies)])])
      """
    try manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The products that its target depends on.
  func usedProducts() throws -> [Product] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let json = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let manifest = try JSONDecoder().decode(Manifest.self, from: json)
    return manifest.targets.flatMap(\.dependencies).compactMap { dependency in
      guard let parts = dependency.product, parts.count >= 2, let name = parts[0]?.text, let package = parts[1]?.text
      else { return nil }
      return Product(name: name, package: package)
    }
  }
}
