import CLibrary
import MirrorSupport

/// Finds the folder of the browser's files: beside the program, or in a folder above it, as in a checkout.
enum PublicFolder {
  static func find() -> String {
    var candidates = ["Public"]
    // The folder of the program, then those above it: `.build/release` is two below the checkout.
    var folder = ProgramFile.folder
    while !folder.isEmpty, folder != "/" {
      candidates.append(folder + "/Public")
      folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    }
    return candidates.first { access($0 + "/inspector/inspector.css", R_OK) == 0 } ?? "Public"
  }
}
