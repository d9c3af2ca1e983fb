internal import CMicrohttpd
internal import MirrorSupport

/// One request that a worker answers, while its connection is suspended.
final class Job: @unchecked Sendable {
  private let connection: Connection
  private let request: HTTPRequest
  private let presence: ClientPresence
  private let handler: (HTTPRequest) -> HTTPResponse
  /// The response for an error that the handler did not throw.
  let refusal: (HTTPError) -> HTTPResponse
  /// Written before the connection is resumed, and read by the event loop afterwards.
  private(set) var response: HTTPResponse?
  /// Whether the connection has been resumed.
  private let isFinished = Guarded(false)

  init(
    _ request: HTTPRequest, on connection: Connection, from client: Client,
    handler: @escaping (HTTPRequest) -> HTTPResponse, refusal: @escaping (HTTPError) -> HTTPResponse = \.response
  ) {
    self.refusal = refusal
    let presence = ClientPresence(descriptor: client.descriptor)
    var request = request
    request.presence = presence
    self.presence = presence
    self.request = request
    self.connection = connection
    self.handler = handler
  }

  /// Whether the request only reads.
  var isReading: Bool { request.method == .get || request.method == .head }

  /// Runs the handler. A read for a disconnected client is skipped; a change is applied all the same.
  func run() {
    finish(isReading && presence.isGone ? nil : handler(request))
  }

  /// Resumes the connection, whose event loop sends the response, or closes the connection if there is no response.
  func finish(_ response: HTTPResponse?) {
    self.response = response
    presence.end()
    isFinished.withLock { $0 = true }
    MHD_resume_connection(connection.handle)
  }

  /// The response, for the event loop.
  func take() -> HTTPResponse? { isFinished.withLock { $0 ? response : nil } }
}
