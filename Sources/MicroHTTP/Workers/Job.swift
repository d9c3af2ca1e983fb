internal import CMicrohttpd

/// One request that a worker answers, while its connection is suspended.
final class Job: @unchecked Sendable {
  private let connection: Connection
  private let request: HTTPRequest
  private let presence: ClientPresence
  private let handler: (HTTPRequest) -> HTTPResponse
  /// Written before the connection is resumed, and read by the daemon's thread after that.
  private(set) var response: HTTPResponse?
  /// Whether the connection has been resumed.
  private let isFinished = Guarded(false)

  init(
    _ request: HTTPRequest, on connection: Connection, from client: Client,
    handler: @escaping (HTTPRequest) -> HTTPResponse
  ) {
    let presence = ClientPresence(descriptor: client.descriptor)
    var request = request
    request.presence = presence
    self.presence = presence
    self.request = request
    self.connection = connection
    self.handler = handler
  }

  /// Whether it changes nothing.
  var isReading: Bool { request.method == .get || request.method == .head }

  /// Does nothing for a reader that is gone. Something that was sent counts, whatever became of its sender.
  func run() {
    finish(isReading && presence.isGone ? nil : handler(request))
  }

  /// Has the daemon's thread send the answer; without one it closes the connection.
  func finish(_ response: HTTPResponse?) {
    self.response = response
    presence.end()
    isFinished.withLock { $0 = true }
    MHD_resume_connection(connection.handle)
  }

  /// The answer, taken by the daemon's thread.
  func take() -> HTTPResponse? { isFinished.withLock { $0 ? response : nil } }
}
