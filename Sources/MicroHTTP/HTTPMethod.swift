/// A request method: any token, with constants for the common ones.
///
/// Methods are case-sensitive (RFC 9110 §9.1): `get` is a different method from ``get``, and no route has it.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The method as it was sent.
  public let rawValue: String

  /// - Parameter rawValue: the method as it is sent, in the same case.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// RFC 9110 §9.3.1.
  public static let get = HTTPMethod(rawValue: "GET")
  /// RFC 9110 §9.3.2.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// RFC 9110 §9.3.3.
  public static let post = HTTPMethod(rawValue: "POST")
  /// RFC 9110 §9.3.4.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// RFC 5789.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// RFC 9110 §9.3.5.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// RFC 9110 §9.3.7.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// The method as it was sent.
  public var description: String { rawValue }
}
