public import MarkupDocument

/// A type that an attribute can be read as.
///
/// ```swift
/// extension Colour: AttributeDecodable {
///   init(attribute value: String) throws(AttributeMismatch) {
///     guard let colour = Colour(hex: value) else { throw AttributeMismatch("a colour such as #ff8800") }
///     self = colour
///   }
/// }
/// ```
///
/// An enumeration with raw values needs the conformance alone.
public protocol AttributeDecodable {
  /// - Throws: ``AttributeMismatch``, which says what would fit.
  init(attribute value: String) throws(AttributeMismatch)

  /// What an attribute means that is not there; `nil` where it means nothing, so that the property's own value stands.
  static var absent: Self? { get }
}

extension AttributeDecodable {
  public static var absent: Self? { nil }
}

/// A value does not fit, and what would: "a whole number".
public struct AttributeMismatch: Error, Sendable, Hashable {
  public let expected: String

  public init(_ expected: String) { self.expected = expected }
}

/// An attribute that could not be read: where it stands, what it is, and what would fit.
public struct AttributeDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  public let node: NodeRef
  /// `<li#row-9>`
  public let element: String
  public let attribute: String
  public let value: String
  public let expected: String

  public var description: String { "\(element): attribute `\(attribute)` is \"\(value)\", and not \(expected)" }
}

extension ElementNode {
  /// Reads an attribute; `nil` where it is absent and that means nothing.
  public func decode<Value: AttributeDecodable>(
    _ type: Value.Type = Value.self, from attribute: String
  ) throws(AttributeDecodingError) -> Value? {
    guard let text = self[attribute: attribute] else { return Value.absent }
    do throws(AttributeMismatch) {
      return try Value(attribute: text)
    } catch {
      throw AttributeDecodingError(
        node: node, element: title, attribute: attribute, value: text, expected: error.expected)
    }
  }
}

// MARK: - The types that are read as they are

extension String: AttributeDecodable {
  public init(attribute value: String) { self = value }
}

extension Int: AttributeDecodable {
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Int(value) else { throw AttributeMismatch("a whole number") }
    self = number
  }
}

extension Double: AttributeDecodable {
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Double(value), number.isFinite else { throw AttributeMismatch("a number") }
    self = number
  }
}

/// LiveView's rule: HEEx leaves an attribute out that is `false` or `nil`, and writes one that is `true` without a value.
/// So one that is there is true, whatever it says; `"false"` alone, which `data-` and `aria-` attributes are written
/// with, is not.
extension Bool: AttributeDecodable {
  public init(attribute value: String) { self = value != "false" }

  public static var absent: Bool? { false }
}

extension Optional: AttributeDecodable where Wrapped: AttributeDecodable {
  public init(attribute value: String) throws(AttributeMismatch) { self = try Wrapped(attribute: value) }

  public static var absent: Wrapped?? { .some(.none) }
}

extension AttributeDecodable where Self: RawRepresentable, RawValue: AttributeDecodable {
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let known = Self(rawValue: try RawValue(attribute: value)) else { throw AttributeMismatch(Self.expectation) }
    self = known
  }

  private static var expectation: String {
    guard let type = Self.self as? any CaseIterable.Type else { return "a \(Self.self)" }
    func names<Known: CaseIterable>(_ type: Known.Type) -> String {
      type.allCases.compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }.joined(separator: ", ")
    }
    return "one of \(names(type))"
  }
}
