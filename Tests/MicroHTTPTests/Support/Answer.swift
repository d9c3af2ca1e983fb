import MicroHTTP

/// A response as a client receives it. Tests compare its description:
///
///     200
///     Content-Type: text/plain; charset=utf-8
///
///     hello
///
/// The description omits `Date`. It has `Content-Length`, as the last header, only if that differs
/// from the body's length.
struct Answer: CustomStringConvertible {
  var status: Int
  var headers: HTTPHeaders
  var body = ""

  init(head: String) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    status = lines.first.flatMap { line in line.split(separator: " ").dropFirst().first.flatMap { Int($0) } } ?? 0
    headers = HTTPHeaders()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers.add(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  /// The answer that a client should receive if the server sends the response.
  init(_ response: HTTPResponse, to method: HTTPMethod) {
    status = response.status.code
    headers = response.headers
    if response.status != .noContent { headers["Content-Length"] = String(response.bytes.count) }
    if method != .head { body = String(decoding: response.bytes, as: UTF8.self) }
  }

  var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }

  var description: String {
    var headers = headers
    headers["Date"] = nil
    headers["Content-Length"] = nil
    if let contentLength, contentLength != body.utf8.count { headers.add("Content-Length", String(contentLength)) }
    let head = ([String(status)] + headers.fields.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    return body.isEmpty ? head : "\(head)\n\n\(body)"
  }
}
