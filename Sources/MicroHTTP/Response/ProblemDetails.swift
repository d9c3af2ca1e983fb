internal import MirrorSupport

/// A machine-readable error: RFC 9457, `application/problem+json`.
///
///     {"type":"about:blank","title":"Not Found","status":404,"code":"not-found","detail":"There is no view “main”."}
///
/// In addition to the standard members there are `code` (a stable word for programs), `pointer` (a
/// JSON Pointer into the request's body), `offset` (a byte offset in that body), and the
/// ``extensions``. ``HTTPError`` has one as the body of its response.
public struct ProblemDetails: Sendable, Hashable {
  /// The value of an extension member.
  public enum Value: Sendable, Hashable {
    /// A JSON string.
    case string(String)
    /// A JSON number.
    case integer(Int)
    /// `true` or `false`.
    case boolean(Bool)
    /// A JSON array of strings.
    case strings([String])
    /// A value that is already encoded as JSON.
    case json([UInt8])
  }

  /// An extension member.
  public struct Member: Sendable, Hashable {
    /// The key.
    public let name: String
    /// The value.
    public let value: Value

    /// - Parameters:
    ///   - name: the key.
    ///   - value: the value.
    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The media type of problem details.
  public static let mediaType = "application/problem+json"

  /// A URI that identifies the kind of problem. `about:blank` means that the status describes it
  /// completely.
  public var type: String
  /// A short name of the kind of problem.
  public var title: String
  /// The status of the response.
  public var status: HTTPStatus
  /// A word for the kind of problem in kebab case, which programs compare. It does not change
  /// between releases.
  public var code: String
  /// An explanation of this occurrence, as a sentence.
  public var detail: String?
  /// A JSON Pointer to the cause in the request's body.
  public var pointer: String?
  /// The byte offset of the cause in the request's body.
  public var offset: Int?
  /// Further members, in the order in which they are encoded.
  public var extensions: [Member]

  /// - Parameters:
  ///   - title: by default the status's reason phrase, as RFC 9457 §4.2.1 recommends for
  ///     `about:blank`.
  ///   - code: by default that of the status, such as `not-found`. See ``HTTPStatus/problemCode``.
  public init(
    status: HTTPStatus, type: String = "about:blank", title: String? = nil, code: String? = nil, detail: String? = nil,
    pointer: String? = nil, offset: Int? = nil, extensions: [Member] = []
  ) {
    self.type = type
    self.title = title ?? status.reason
    self.status = status
    self.code = code ?? status.problemCode
    self.detail = detail
    self.pointer = pointer
    self.offset = offset
    self.extensions = extensions
  }
}

extension ProblemDetails {
  /// A JSON object with all members that have a value, the ``extensions`` last. A line feed follows
  /// it.
  public var json: [UInt8] { written.bytes }

  /// Like ``json`` without the line feed, to be inserted into other JSON.
  package var jsonText: String { written.text }

  private var written: JSONWriter {
    var json = JSONWriter()
    json.object { json in
      json.member("type", type)
      json.member("title", title)
      json.member("status", status.code)
      json.member("code", code)
      if let detail { json.member("detail", detail) }
      if let pointer { json.member("pointer", pointer) }
      if let offset { json.member("offset", offset) }
      for member in extensions { json.member(named: member.name) { member.value.write(to: &$0) } }
    }
    return json
  }
}

extension ProblemDetails.Value {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .string(let string): json.value(string)
    case .integer(let integer): json.value(integer)
    case .boolean(let boolean): json.value(boolean)
    case .json(let bytes): json.value(json: String(decoding: bytes, as: UTF8.self))
    case .strings(let strings): json.array(strings) { json, string in json.value(string) }
    }
  }
}
