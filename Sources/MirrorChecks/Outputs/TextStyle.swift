/// Colours for a terminal. No meaning depends on colour alone. ``CheckText`` and ``ComparisonText``
/// are written with it.
package struct TextStyle: Sendable {
  /// Whether escape sequences are written.
  package var isColoured: Bool
  /// The number of columns to which long sentences are wrapped.
  package var columns: Int

  package init(isColoured: Bool, columns: Int = 80) {
    self.isColoured = isColoured
    self.columns = max(40, min(columns, 120))
  }

  /// Text without colours.
  package static let plain = TextStyle(isColoured: false)

  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func bold(_ text: String) -> String { wrap(text, "1") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A sentence on lines of at most ``columns`` characters.
  ///
  /// - Parameters:
  ///   - first: precedes the first line; the other lines are indented by its length.
  ///   - paint: colours each line.
  func wrapped(_ sentence: String, after first: String, _ paint: (String) -> String = { $0 }) -> String {
    let indent = String(repeating: " ", count: first.count)
    var lines: [String] = []
    var line = ""
    for word in sentence.split(separator: " ") {
      if !line.isEmpty, indent.count + line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(line)
    return lines.enumerated().map { ($0 == 0 ? first : indent) + paint($1) + "\n" }.joined()
  }
}
