import Foundation

/// Removes or simplifies one piece of a JSON text. Used to reduce a faulty input.
enum JSONPieces {
  /// - Parameter cuttingTexts: whether parts of strings are pieces too.
  /// - Returns: the text without its piece number `place`, and the number of pieces; `nil` if the
  ///   text is not JSON.
  static func without(_ place: Int, in text: String, cuttingTexts: Bool) -> (text: String, count: Int)? {
    guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
    var walk = Walk(place: place, cutsTexts: cuttingTexts)
    let smaller = walk.simplified(json)
    guard
      let data = try? JSONSerialization.data(withJSONObject: smaller, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return nil }
    return (String(decoding: data, as: UTF8.self), walk.count)
  }

  private struct Walk {
    let place: Int
    let cutsTexts: Bool
    var count = 0

    /// Counts a piece. Returns whether it is the piece to simplify.
    private mutating func isHere() -> Bool {
      defer { count += 1 }
      return count == place
    }

    mutating func simplified(_ value: Any) -> Any {
      switch value {
      case var members as [String: Any]:
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
          if isHere() {
            members[name] = nil
          } else if name != "s", member as? String != "", isHere() {
            members[name] = ""
          } else {
            members[name] = simplified(member)
          }
        }
        return members
      case var values as [Any]:
        for index in values.indices.reversed() where !(values[index] is String) {
          if isHere() {
            values.remove(at: index)
            return values
          }
        }
        return values.map { simplified($0) }
      case let text as String where !text.isEmpty && cutsTexts:
        if isHere() { return "" }
        if isHere() { return String(text.prefix(text.count / 2)) }
        if isHere() { return String(text.suffix(text.count / 2)) }
        for length in [4, 1] where text.unicodeScalars.count > length {
          var start = 0
          while start < text.unicodeScalars.count {
            if isHere() {
              var scalars = Array(text.unicodeScalars)
              scalars.removeSubrange(start..<min(start + length, scalars.count))
              return scalars.map(String.init).joined()
            }
            start += length
          }
        }
        return text
      default: return value
      }
    }
  }
}
