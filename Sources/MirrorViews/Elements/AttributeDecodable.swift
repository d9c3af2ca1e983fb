public import MarkupDocument

/// A type whose values can be decoded from an attribute. ``Attribute`` and ``ChangeTracked`` decode
/// their values with it.
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
/// For an enumeration with raw values, declaring the conformance is enough.
public protocol AttributeDecodable {
  /// Decodes the value of an attribute.
  ///
  /// - Throws: ``AttributeMismatch`` with the expected value.
  init(attribute value: String) throws(AttributeMismatch)

  /// The value of an absent attribute; `nil` if the property's own initial value applies.
  static var absent: Self? { get }
}

extension AttributeDecodable {
  /// By default, an absent attribute has no value.
  public static var absent: Self? { nil }
}

/// The value of an attribute does not have the expected form.
public struct AttributeMismatch: Error, Sendable, Hashable {
  /// The expected form, worded so that it can follow "not", such as "a whole number".
  public let expected: String

  /// Creates an error.
  ///
  /// - Parameter expected: the expected form, such as "a whole number".
  public init(_ expected: String) { self.expected = expected }
}

/// An attribute of an element could not be decoded.
public struct AttributeDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The element.
  public let node: NodeRef
  /// The name of the element, such as `<li#row-9>`.
  public let element: String
  /// The name of the attribute.
  public let attribute: String
  /// The value of the attribute.
  public let value: String
  /// The expected form, such as "a whole number".
  public let expected: String

  /// The element, the attribute, its value and the expected form:
  ///
  ///     <li>: attribute `count` is "many", and not a whole number
  public var description: String { "\(element): attribute `\(attribute)` is \"\(value)\", and not \(expected)" }
}

extension ElementNode {
  /// Decodes an attribute; `nil` if the attribute is absent and the type has no value for an absent
  /// attribute.
  ///
  /// - Throws: ``AttributeDecodingError`` if the attribute is present and cannot be decoded.
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

// MARK: - Conformances of the standard library

extension String: AttributeDecodable {
  /// Every text is valid.
  public init(attribute value: String) { self = value }
}

extension Int: AttributeDecodable {
  /// - Throws: ``AttributeMismatch`` unless the value is a whole number without spaces.
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Int(value) else { throw AttributeMismatch("a whole number") }
    self = number
  }
}

extension Double: AttributeDecodable {
  /// - Throws: ``AttributeMismatch`` unless the value is a finite number.
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let number = Double(value), number.isFinite else { throw AttributeMismatch("a number") }
    self = number
  }
}

/// LiveView's templates omit an attribute that is `false` or `nil`, and write an attribute that is
/// `true` without a value. So a present attribute is true. The only exception is the value
/// `"false"`, which is used for `data-` and `aria-` attributes.
extension Bool: AttributeDecodable {
  /// True unless the value is `"false"`.
  public init(attribute value: String) { self = value != "false" }

  /// An absent attribute is false.
  public static var absent: Bool? { false }
}

extension Optional: AttributeDecodable where Wrapped: AttributeDecodable {
  /// - Throws: the ``AttributeMismatch`` of the wrapped type.
  public init(attribute value: String) throws(AttributeMismatch) { self = try Wrapped(attribute: value) }

  /// An absent attribute is `nil`.
  public static var absent: Wrapped?? { .some(.none) }
}

extension AttributeDecodable where Self: RawRepresentable, RawValue: AttributeDecodable {
  /// - Throws: ``AttributeMismatch``, which lists the cases if the type is `CaseIterable`.
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
