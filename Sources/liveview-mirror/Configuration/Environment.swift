#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// The environment variables of the process.
enum Environment {
  /// Reads the variables of this program, by name. Called once, before the process has other threads that could change them.
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

  /// Warnings about variables with the program's prefix that are not settings: nearly always a typing error.
  static func warnings(about variables: some Sequence<String>) -> [String] {
    let known = Setting.all.map(\.variable)
    return variables.filter { $0.hasPrefix(Setting.variablePrefix) && !known.contains($0) }.sorted().map { name in
      let nearest = known.map { (distance: distance(name, $0), name: $0) }.min { $0.distance < $1.distance }
      let hint = nearest.flatMap { $0.distance <= 4 ? "; did you mean \($0.name)?" : nil } ?? ""
      return "there is no setting \(name)\(hint)"
    }
  }

  /// The Levenshtein distance: how many letters must be inserted, deleted or replaced.
  ///
  /// - Complexity: O(*a* · *b*) for names of *a* and *b* bytes.
  static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b.utf8)
    var row = Array(0...b.count)
    for (line, byte) in a.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in b.indices {
        let replaced = diagonal + (byte == b[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[b.count]
  }
}
