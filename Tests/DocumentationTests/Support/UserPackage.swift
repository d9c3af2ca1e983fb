import Foundation

/// The package of a user, with one program.
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

  /// - Parameter sources: the files of the program, by name.
  init(dependencies: String, targetDependencies: String, sources: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "user-package-\(UUID().uuidString)")
    let files = folder.appending(path: "Sources/user")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "user", dependencies: [\(dependencies)],
        targets: [.executableTarget(name: "user", dependencies: [\(targetDependencies)])])
      """
    try manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    for (name, text) in sources {
      try text.write(to: files.appending(path: name), atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The products that its target depends on.
  func usedProducts() throws -> [Product] {
    let json = Data(try swift("package", "dump-package").utf8)
    let manifest = try JSONDecoder().decode(Manifest.self, from: json)
    return manifest.targets.flatMap(\.dependencies).compactMap { dependency in
      guard let parts = dependency.product, parts.count >= 2, let name = parts[0]?.text, let package = parts[1]?.text
      else { return nil }
      return Product(name: name, package: package)
    }
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Builds the program and runs it.
  ///
  /// - Parameter products: the folder of the built files. Packages that use the same one compile
  ///   the libraries once.
  /// - Returns: what the program prints.
  func output(products: URL) throws -> String {
    try swift("run", "--scratch-path", products.path, "--quiet", "user")
  }

  /// Runs a command of SwiftPM in the package, in the environment of a user, and returns its
  /// standard output.
  private func swift(_ command: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", command, "--package-path", folder.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MIRROR_") }
    let (output, errors) = (Pipe(), folder.appending(path: "errors"))
    try Data().write(to: errors)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: try String(contentsOf: errors, encoding: .utf8) + String(decoding: bytes, as: UTF8.self))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
