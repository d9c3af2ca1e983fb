/// What went wrong, for programs: RFC 9457, `application/problem+json`.
///
///     {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no view “main”."}
///
/// Besides the members of the standard there are `pointer` (a JSON Pointer into the body of the request) and `offset` (a
/// byte of it), and whatever ``extensions`` holds.
public struct ProblemDetails: Sendable, Hashable {
  /// The value of an extension member.
  public enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case strings([String])
    /// Bytes that are JSON already.
    case json([UInt8])
  }

  /// An extension member: these keep the order in which they are given.
  public struct Member: Sendable, Hashable {
    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  public static let mediaType = "application/problem+json"

  /// A URI that names the kind of problem; `about:blank` says that the status says it all.
  public var type: String
  public var title: String
  public var status: HTTPStatus
  public var detail: String?
  public var pointer: String?
  public var offset: Int?
  public var extensions: [Member]

  /// - Parameter title: by default the status's reason phrase, as RFC 9457 §4.2.1 wants it for `about:blank`.
  public init(
    status: HTTPStatus, type: String = "about:blank", title: String? = nil, detail: String? = nil,
    pointer: String? = nil, offset: Int? = nil, extensions: [Member] = []
  ) {
    self.type = type
    self.title = title ?? status.reason
    self.status = status
    self.detail = detail
    self.pointer = pointer
    self.offset = offset
    self.extensions = extensions
  }
}
