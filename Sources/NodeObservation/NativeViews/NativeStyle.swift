/// The little that a native view says in a `style` attribute: numbers that were read as numbers.
///
/// Text of the wire never gets here; what is not a number is a class of the stylesheet.
struct NativeStyle {
  private var declarations: [String] = []

  init(gap: Length? = nil, minimum: Length? = nil, columns: Int? = nil, rows: Int? = nil) {
    if let gap { declarations.append("gap:\(gap.text)") }
    if let minimum { declarations.append("min-width:\(minimum.text);min-height:\(minimum.text)") }
    if let columns { declarations.append("grid-template-columns:repeat(\(columns),minmax(0,1fr))") }
    if let rows { declarations.append("grid-template-rows:repeat(\(rows),auto)") }
  }

  /// `nil` where there is nothing to say.
  var text: String? { declarations.isEmpty ? nil : declarations.joined(separator: ";") }
}

/// A distance in points, from 0 to 1,000.
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
  /// `8` and not `8.0`.
  var shortest: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// Where content stands in its box. Each is a class of the stylesheet: `align-leading`.
enum Alignment: String, CaseIterable, AttributeDecodable {
  case leading, center, trailing
  case top, bottom, firstTextBaseline, lastTextBaseline
  case topLeading, topTrailing, bottomLeading, bottomTrailing
}
