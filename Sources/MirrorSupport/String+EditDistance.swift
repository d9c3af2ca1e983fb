extension String {
  /// The Levenshtein distance: how many bytes must be inserted, deleted or replaced to make one
  /// name into another. ``mostSimilar(among:)`` calls it.
  ///
  /// - Complexity: O(*a* · *b*) for names of *a* and *b* bytes.
  package func editDistance(to other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (line, byte) in utf8.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }

  /// The most similar one of some names, for “did you mean”; `nil` if none is similar. A name is
  /// similar if its distance is at most a third of this name's bytes. The limit is at least 2, or 1
  /// if this name has at most three bytes. Errors about unknown commands, parameters and keys use
  /// it.
  ///
  /// - Complexity: that of ``editDistance(to:)`` for each name.
  package func mostSimilar(among names: some Sequence<String>) -> String? {
    let limit = utf8.count < 4 ? 1 : Swift.max(2, utf8.count / 3)
    let nearest = names.map { (distance: editDistance(to: $0), name: $0) }.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= limit ? $0.name : nil }
  }
}
