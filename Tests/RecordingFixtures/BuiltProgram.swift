package import Foundation

extension Fixtures {
  /// The tested program. The build puts it beside the test bundle.
  package static var program: URL {
    get throws {
      let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
      for bundle in bundles {
        for folder in [bundle, bundle.deletingLastPathComponent()] {
          let candidate = folder.appending(path: "liveview-mirror")
          var isFolder: ObjCBool = false
          if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
            return candidate
          }
        }
      }
      throw CocoaError(.fileNoSuchFile)
    }
  }
}
