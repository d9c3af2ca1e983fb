/// The status of a response.
///
/// ``reason`` is the `title` of ``ProblemDetails``. In the status line, libmicrohttpd sends its own
/// reason phrase. ``HTTPResponse`` and ``ProblemDetails`` have a status.
public struct HTTPStatus: Hashable, Sendable, CustomStringConvertible {
  /// The three-digit code.
  public let code: Int

  /// - Parameter code: the three-digit code.
  public init(code: Int) { self.code = code }

  /// RFC 9110 §15.3.1.
  public static let ok = HTTPStatus(code: 200)
  /// RFC 9110 §15.3.2.
  public static let created = HTTPStatus(code: 201)
  /// RFC 9110 §15.3.3.
  public static let accepted = HTTPStatus(code: 202)
  /// RFC 9110 §15.3.5.
  public static let noContent = HTTPStatus(code: 204)
  /// RFC 9110 §15.4.4.
  public static let seeOther = HTTPStatus(code: 303)
  /// RFC 9110 §15.4.5.
  public static let notModified = HTTPStatus(code: 304)
  /// RFC 9110 §15.5.1.
  public static let badRequest = HTTPStatus(code: 400)
  /// RFC 9110 §15.5.2.
  public static let unauthorized = HTTPStatus(code: 401)
  /// RFC 9110 §15.5.4.
  public static let forbidden = HTTPStatus(code: 403)
  /// RFC 9110 §15.5.5.
  public static let notFound = HTTPStatus(code: 404)
  /// RFC 9110 §15.5.6.
  public static let methodNotAllowed = HTTPStatus(code: 405)
  /// RFC 9110 §15.5.9.
  public static let requestTimeout = HTTPStatus(code: 408)
  /// RFC 9110 §15.5.10.
  public static let conflict = HTTPStatus(code: 409)
  /// RFC 9110 §15.5.11.
  public static let gone = HTTPStatus(code: 410)
  /// RFC 9110 §15.5.13.
  public static let preconditionFailed = HTTPStatus(code: 412)
  /// RFC 9110 §15.5.14.
  public static let contentTooLarge = HTTPStatus(code: 413)
  /// RFC 9110 §15.5.15.
  public static let uriTooLong = HTTPStatus(code: 414)
  /// RFC 9110 §15.5.16.
  public static let unsupportedMediaType = HTTPStatus(code: 415)
  /// RFC 9110 §15.5.18.
  public static let expectationFailed = HTTPStatus(code: 417)
  /// RFC 9110 §15.5.20.
  public static let misdirectedRequest = HTTPStatus(code: 421)
  /// RFC 9110 §15.5.21.
  public static let unprocessableContent = HTTPStatus(code: 422)
  /// RFC 6585 §4.
  public static let tooManyRequests = HTTPStatus(code: 429)
  /// RFC 6585 §5.
  public static let requestHeaderFieldsTooLarge = HTTPStatus(code: 431)
  /// RFC 9110 §15.6.1.
  public static let internalServerError = HTTPStatus(code: 500)
  /// RFC 9110 §15.6.2.
  public static let notImplemented = HTTPStatus(code: 501)
  /// RFC 9110 §15.6.4.
  public static let serviceUnavailable = HTTPStatus(code: 503)
  /// 504: another server or client did not answer in time.
  public static let gatewayTimeout = HTTPStatus(code: 504)

  /// The reason phrase of the RFC, or the name of the class for a code that is not listed here.
  public var reason: String {
    switch code {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 200..<300: "Success"
    case 300..<400: "Redirection"
    case 400..<500: "Client Error"
    default: "Server Error"
    }
  }

  /// The ``ProblemDetails/code`` of a problem without a more specific code: the reason phrase in
  /// kebab case, such as `not-found`.
  public var problemCode: String { reason.lowercased().replacing(" ", with: "-") }

  /// The code and the reason phrase.
  public var description: String { "\(code) \(reason)" }
}
