import CLibrary
import MirrorSupport

/// Finds the folder of the browser's files. `Serve.serve` serves these files if no setting names
/// another folder.
enum PublicFolder {
  /// The first folder `Public` that holds the inspector's style sheet. The working directory is
  /// tried first, then the folder of the program, then each folder above the program.
  ///
  /// - Returns: `Public` if no folder fits. The caller then reports that the files are missing.
  static func find() -> String {
    var candidates = ["Public"]
    // In a checkout, `Public` is beside the folder `.build` that contains the program.
    var folder = ProgramFile.folder
    while !folder.isEmpty, folder != "/" {
      candidates.append(folder + "/Public")
      folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    }
    return candidates.first { access($0 + "/inspector/inspector.css", R_OK) == 0 } ?? "Public"
  }
}
