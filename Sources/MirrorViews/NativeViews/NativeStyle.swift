/// The value of a `style` attribute. It contains only numbers that were parsed as numbers, never
/// text from the server. Values that are not numbers are written as classes of the style sheet.
/// ``NativeBoxView`` makes the value, and ``NativeTag`` writes it.
struct NativeStyle {
  private var declarations: [String] = []

  init(gap: Length? = nil, minimum: Length? = nil, columns: Int? = nil, rows: Int? = nil) {
    if let gap { declarations.append("gap:\(gap.text)") }
    if let minimum { declarations.append("min-width:\(minimum.text);min-height:\(minimum.text)") }
    if let columns { declarations.append("grid-template-columns:repeat(\(columns),minmax(0,1fr))") }
    if let rows { declarations.append("grid-template-rows:repeat(\(rows),auto)") }
  }

  /// The value of the attribute; `nil` if it has no declarations.
  var text: String? { declarations.isEmpty ? nil : declarations.joined(separator: ";") }
}

/// A distance from 0 to 1,000 points. One point is drawn as one CSS pixel.
struct Length: AttributeDecodable, Hashable {
  let points: Double

  init(attribute value: String) throws(AttributeMismatch) {
    guard let points = Double(value), (0...1000).contains(points) else {
      throw AttributeMismatch("a length from 0 to 1000")
    }
    self.points = points
  }

  fileprivate var text: String { "\(points.shortest)px" }
}

extension Double {
  /// The shortest text of the number: `8`, not `8.0`.
  var shortest: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// The named colours of SwiftUI. Each is a class of the style sheet: `fill-red`.
enum NativeColour: String, CaseIterable, AttributeDecodable {
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, white, gray, black
}
