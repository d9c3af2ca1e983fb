/// Finds members that an object has twice. The parser of Foundation does not see them.
enum JSONMembers {
  /// The names of members that their object has already, in the order of the text, which must be
  /// compact JSON.
  static func repeated(in text: String) -> [String] {
    var objects: [Set<String>] = []
    var repeated: [String] = []
    // A text that is followed by a colon is a name.
    for token in text.matches(of: /"((?:[^"\\]|\\.)*)"(:)?|[{}]/) {
      switch token.0 {
      case "{": objects.append([])
      case "}": objects.removeLast()
      default:
        guard token.2 != nil, let name = token.1.map(String.init), !objects.isEmpty else { continue }
        if !objects[objects.count - 1].insert(name).inserted { repeated.append(name) }
      }
    }
    return repeated
  }
}
