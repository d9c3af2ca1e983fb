@preconcurrency internal import CLibrary
internal import MirrorSupport

/// The environment variables of the process. ``Serve`` and the commands that reach a mirror read
/// them.
enum Environment {
  /// Reads the variables whose names begin with ``Setting/variablePrefix``, by name. It must be
  /// called before the process has other threads that could change them.
  static func read() -> [String: String] {
    var variables: [String: String] = [:]
    var place = start
    while let entry = place?.pointee {
      let text = String(cString: entry)
      if text.hasPrefix(Setting.variablePrefix), let end = text.firstIndex(of: "=") {
        variables[String(text[..<end])] = String(text[text.index(after: end)...])
      }
      place = place?.advanced(by: 1)
    }
    return variables
  }

  private static var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }

  /// Warnings about variables with the program's prefix that are not settings: nearly always a
  /// typing error.
  static func warnings(about variables: some Sequence<String>) -> [String] {
    let prefix = Setting.variablePrefix
    // Compared without the prefix, which would make all variables similar.
    let known = Setting.all.map { String($0.variable.dropFirst(prefix.count)) }
    let names = variables.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return names.filter { !known.contains($0) }.sorted().map { name in
      let hint = name.mostSimilar(among: known).map { ": did you mean \(prefix)\($0)?" } ?? ""
      return "\(prefix)\(name) is not a setting\(hint)"
    }
  }
}
