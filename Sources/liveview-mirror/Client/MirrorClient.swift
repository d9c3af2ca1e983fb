internal import MirrorSupport

/// Sends requests to a running mirror, for `import`, `check`, `compare`, `push`, `healthcheck`
/// and `demo`.
///
/// It speaks HTTP/1.1 over plain sockets: one connection for each request, no TLS, no redirects. A
/// library would be larger than the rest of the program: FoundationNetworking and swift-nio each
/// add megabytes, and libcurl another package to every image.
struct MirrorClient: Sendable {
  let address: MirrorAddress
  /// Sent as `Authorization: Bearer …`.
  var token: String?
  /// The `Host` header, if it differs from the address.
  var host: String?
  /// The limit for connecting, and for each wait in which no byte is sent or received.
  /// ``stream(_:each:)`` waits for the next bytes without a limit.
  var timeout: Duration = .seconds(10)

  /// A body of at least this many bytes is sent only after the server has accepted the head. A
  /// server that refuses a long body closes the connection, and its response could be lost while
  /// the body is being sent.
  private static let longBody = 1 << 20

  /// - Parameter path: the path with its query; it begins with a slash.
  func get(_ path: String) throws(MirrorClientError) -> MirrorResponse {
    try send("GET", path, body: nil, accept: "application/json")
  }

  func post(_ path: String, _ body: [UInt8], accept: String = "application/json") throws(MirrorClientError)
    -> MirrorResponse
  {
    try send("POST", path, body: body, accept: accept)
  }

  /// Reads a stream until the mirror ends it.
  ///
  /// - Parameter each: called with the next bytes of the stream.
  /// - Returns: a response without a body, or the refusal.
  func stream(_ path: String, each: ([UInt8]) throws(MirrorClientError) -> Void) throws(MirrorClientError)
    -> MirrorResponse
  {
    let connection = try TCPConnection(to: address, timeout: timeout)
    try connection.send(Array((head("GET", path, accept: "text/event-stream") + "\r\n").utf8))
    var reader = ResponseReader()
    while true {
      if let response = reader.response { return response }
      guard let bytes = try connection.receive(within: timeout) else { continue }
      if bytes.isEmpty { return try reader.end() }
      try reader.receive(bytes)
      let body = reader.takeBody()
      if !body.isEmpty { try each(body) }
    }
  }

  /// The head of a request without the empty line at its end.
  private func head(_ method: String, _ path: String, accept: String) -> String {
    var head =
      "\(method) \(address.path)\(path) HTTP/1.1\r\nHost: \(host ?? address.authority)\r\nConnection: close\r\n"
    head += "Accept: \(accept)\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    return head
  }

  private func send(
    _ method: String, _ path: String, body: [UInt8]?, accept: String
  ) throws(MirrorClientError) -> MirrorResponse {
    let waits = (body?.count ?? 0) >= Self.longBody
    let connection = try TCPConnection(to: address, timeout: timeout)
    var head = head(method, path, accept: accept)
    if let body { head += "Content-Length: \(body.count)\r\n" }
    if waits { head += "Expect: 100-continue\r\n" }
    head += "\r\n"
    var reader = ResponseReader()
    // A server may respond, and close the connection, before it has read the request. Therefore the
    // response is read even if sending has failed.
    var broken: MirrorClientError?
    do {
      try connection.send(Array(head.utf8) + (waits ? [] : body ?? []))
      if waits, let body {
        let isAccepted = try mayContinue(connection, &reader)
        if isAccepted { try connection.send(body) }
      }
    } catch { broken = error }
    do {
      return try response(connection, &reader)
    } catch { throw broken ?? error }
  }

  /// Waits at most a second for the interim response `100`. A server that does not send this
  /// response gets the body after the second, as from other clients.
  ///
  /// - Returns: whether to send the body.
  private func mayContinue(
    _ connection: TCPConnection, _ reader: inout ResponseReader
  ) throws(MirrorClientError) -> Bool {
    let deadline = ContinuousClock.now + .seconds(1)
    while reader.interim == nil, reader.response == nil, ContinuousClock.now < deadline {
      guard let bytes = try connection.receive(within: min(timeout, .seconds(1))) else { continue }
      if bytes.isEmpty { return false }
      try reader.receive(bytes)
    }
    return reader.response == nil
  }

  private func response(
    _ connection: TCPConnection, _ reader: inout ResponseReader
  ) throws(MirrorClientError) -> MirrorResponse {
    while true {
      if let response = reader.response { return response }
      guard let bytes = try connection.receive(within: timeout) else { throw .noResponse(address, after: timeout) }
      if bytes.isEmpty { return try reader.end() }
      try reader.receive(bytes)
    }
  }
}

/// A complete response.
struct MirrorResponse: Sendable, Equatable {
  var status: Int
  /// The value of `Content-Type` without its parameters.
  var type: String
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Why there is no response.
enum MirrorClientError: Error, Equatable, CustomStringConvertible {
  case unknownHost(MirrorAddress, reason: String)
  case cannotConnect(MirrorAddress, reason: String)
  case noResponse(MirrorAddress, after: Duration)
  /// The connection was closed before the end of the response.
  case closed
  case notHTTP

  var description: String {
    switch self {
    case .unknownHost(let address, let reason): "the host of \(address) is not known: \(reason)"
    case .cannotConnect(let address, let reason): "cannot connect to \(address): \(reason)"
    case .noResponse(let address, let time): "\(address) does not respond within \(Formatted.time(time))"
    case .closed: "the connection was closed before the end of the response"
    case .notHTTP: "the response is not valid HTTP"
    }
  }
}
