internal import LiveViewClient

/// Sends requests to a mirror on a connection that is kept, and opens event streams on others.
/// ``FrameSender`` feeds the mirror through it. A request takes the kept connection for itself, so
/// a concurrent request opens another one.
actor MirrorConnection {
  let address: WebAddress
  private let token: String?
  private let transport: Transport
  private var connection: HTTPConnection?

  init(_ address: WebAddress, token: String?, acceptsAnyCertificate: Bool) {
    self.address = address
    self.token = token
    transport = Transport(acceptsAnyCertificate: acceptsAnyCertificate, timeout: .seconds(30))
  }

  /// The path below the mirror's address.
  private nonisolated func target(_ path: String) -> String {
    (address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path) + path
  }

  private nonisolated func call(_ method: String, _ path: String, _ body: [UInt8]) -> ClientRequest {
    var headers: [(name: String, value: String)] = [("User-Agent", "liveview-mirror attach")]
    if !body.isEmpty { headers.append(("Content-Type", "text/plain")) }
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    return ClientRequest(method, target(path), headers: headers, body: body)
  }

  /// - Throws: ``ClientError`` if the mirror cannot be reached. The mirror may have received
  ///   the request. It is not repeated here.
  func send(_ method: String, _ path: String, _ body: [UInt8] = []) async throws(ClientError) -> ClientResponse {
    let kept = connection
    connection = nil
    let current: HTTPConnection
    if let kept, kept.isOpen { current = kept } else { current = try await HTTPConnection.open(address, by: transport) }
    do throws(ClientError) {
      let answer = try await current.send(call(method, path, body))
      // Another request may have opened a connection meanwhile.
      if current.isOpen, connection == nil { connection = current } else { current.close() }
      return answer
    } catch {
      current.close()
      throw error
    }
  }

  /// The message about a failed request. The description of a ``ClientError`` is about an app, and
  /// not about a mirror.
  nonisolated func failure(_ error: ClientError) -> String {
    switch error {
    case .unreachable(_, let reason): "cannot reach the mirror at \(address.origin): \(reason)"
    case .status(_, let status): "the mirror at \(address.origin) responds with status \(status)"
    case .failedExchange(_, let reason): "the mirror at \(address.origin) cannot be fed: \(reason)"
    default: "the mirror at \(address.origin) cannot be fed: \(error)"
    }
  }

  /// The reason why a request was not accepted.
  struct Objection: Error {
    let text: String
    /// Whether the server is a mirror, and not for example the app itself.
    var isOfMirror = true
  }

  /// The objection of the mirror; `nil` if a request has succeeded.
  ///
  /// - Parameter content: what was sent, as the message names it.
  nonisolated func objection(in answer: ClientResponse, to content: String) -> Objection? {
    guard answer.isOfMirror else {
      let text = "there is no mirror at \(address.origin): use the address of liveview-mirror serve"
      return Objection(text: text, isOfMirror: false)
    }
    return objectionOfMirror(in: answer, to: content).map { Objection(text: $0) }
  }

  private nonisolated func objectionOfMirror(in answer: ClientResponse, to content: String) -> String? {
    if (200..<300).contains(answer.status) { return nil }
    let mirror = "the mirror at \(address.origin)"
    if answer.status == 401 {
      return token == nil
        ? "\(mirror) needs a token: set --token, --token-file, MIRROR_TOKEN or MIRROR_TOKEN_FILE"
        : "\(mirror) does not accept the token: check --token, --token-file, MIRROR_TOKEN and MIRROR_TOKEN_FILE"
    }
    let detail = FeedReport.detail(of: answer.body)
    if answer.status == 413 {
      let reason = detail.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } ?? "status 413"
      return "\(mirror) refuses \(content): \(reason); raise its --max-body"
    }
    return "\(mirror) refuses \(content) with status \(answer.status)\(detail.map { ": \($0)" } ?? "")"
  }

  /// Opens an event stream on a connection of its own.
  ///
  /// - Returns: the status, the text as it arrives, and the connection to close.
  nonisolated func listen(
    _ path: String
  ) async throws(ClientError) -> (Int, AsyncThrowingStream<[UInt8], any Error>, HTTPConnection) {
    let connection = try await HTTPConnection.open(address, by: transport)
    let call = call("GET", path, [])
    let answer = await withTaskCancellationHandler {
      await Self.result { () async throws(ClientError) in try await connection.stream(call) }
    } onCancel: {
      connection.close()
    }
    switch answer {
    case .success((let head, let stream)): return (head.status, stream, connection)
    case .failure(let error):
      connection.close()
      throw error
    }
  }

  private static func result<Value>(
    _ body: () async throws(ClientError) -> Value
  ) async -> Result<Value, ClientError> {
    do throws(ClientError) { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension ClientResponse {
  /// Whether the answer can be that of a mirror, whose errors are RFC 9457 problems. A proxy before
  /// the mirror may answer 401, 413, and 5xx by itself.
  fileprivate var isOfMirror: Bool {
    let type = values(of: "content-type").first?.lowercased() ?? ""
    switch status {
    case 200..<300: return !type.hasPrefix("text/")
    case 401, 413, 500...: return true
    default: return type.hasPrefix("application/problem+json")
    }
  }
}
