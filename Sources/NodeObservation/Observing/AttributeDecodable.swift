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
  /// An attribute that is not there means nothing, unless a type says otherwise.
  public static var absent: Self? { nil }
}

/// A value does not fit, and what would: "a whole number".
public struct AttributeMismatch: Error, Sendable, Hashable {
  /// What would fit, to be read after "not".
  public let expected: String

  /// - Parameter expected: what would fit: "a whole number".
  public init(_ expected: String) { self.expected = expected }
}

/// An attribute that could not be read: where it stands, what it is, and what would fit.
public struct AttributeDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The element.
  public let node: NodeRef
  /// `<li#row-9>`
  public let element: String
  /// The name of the attribute.
  public let attribute: String
  /// What stood there.
  public let value: String
  /// What would fit: "a whole number".
  public let expected: String

  /// Where it stands, what it is, and what would fit:
  ///
  ///     <li>: attribute `count` is "many", and not a whole number
  public var description: String { "\(element): attribute `\(attribute)` is \"\(value)\", and not \(expected)" }
}

extension ElementNode {
  /// Reads an attribute; `nil` where it is absent and that means nothing.
  public func decode<Value: AttributeDecodable>(
    _ type: Value.Type = Value.self, from attribute: String
  ) throws(AttributeDecodingError) -> Value? {
    guard let text = self[attribute] else { return Value.absent }
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
  /// Any text is one.
  public init(attribute value: String) { self = value }
}

extension Int: AttributeDecodable {
  /// - Throws: ``AttributeMismatch`` for anything but a whole number, spaces included.
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Int(value) else { throw AttributeMismatch("a whole number") }
    self = number
  }
}

extension Double: AttributeDecodable {
  /// - Throws: ``AttributeMismatch`` for anything but a finite number.
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Double(value), number.isFinite else { throw AttributeMismatch("a number") }
    self = number
  }
}

/// LiveView's rule: HEEx leaves an attribute out that is `false` or `nil`, and writes one that is `true` without a value.
/// So one that is there is true, whatever it says; `"false"` alone, which `data-` and `aria-` attributes are written
/// with, is not.
extension Bool: AttributeDecodable {
  /// True, but for `"false"`.
  public init(attribute value: String) { self = value != "false" }

  /// An attribute that is not there is false.
  public static var absent: Bool? { false }
}

extension Optional: AttributeDecodable where Wrapped: AttributeDecodable {
  /// - Throws: ``AttributeMismatch``, as the type in it does.
  public init(attribute value: String) throws(AttributeMismatch) { self = try Wrapped(attribute: value) }

  /// An attribute that is not there is `nil`.
  public static var absent: Wrapped?? { .some(.none) }
}

extension AttributeDecodable where Self: RawRepresentable, RawValue: AttributeDecodable {
  /// - Throws: ``AttributeMismatch``, which lists the cases where the type is `CaseIterable`.
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
