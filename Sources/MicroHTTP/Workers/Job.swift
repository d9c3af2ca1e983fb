internal import CMicrohttpd
internal import Synchronization

/// One request that a worker answers, while its connection is suspended.
final class Job: @unchecked Sendable {
  private let connection: Connection
  private let request: HTTPRequest
  private let presence: ClientPresence
  private let handler: (HTTPRequest) -> HTTPResponse
  /// The response for an error that the handler did not throw.
  private let refusal: (HTTPError) -> HTTPResponse
  /// Written before the connection is resumed, and read by the event loop afterwards.
  private var response: HTTPResponse?
  /// Whether the connection has been resumed.
  private let isFinished = Atomic<Bool>(false)

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
  ///
  /// - Parameter threads: handle the request again if a response that was held back must not be sent; `nil` if none may be held back.
  func run(handlingAgainOn threads: WaitingThreads? = nil) {
    if isReading, presence.isGone { return finish(nil) }
    var request = request
    request.allowsHold = threads != nil
    finish(handler(request), handlingAgainOn: threads)
  }

  /// Resumes the connection when it is decided whether the response is sent.
  func finish(_ response: HTTPResponse, handlingAgainOn threads: WaitingThreads?) {
    guard let hold = response.hold else { return finish(response) }
    hold.whenDecided { [self] decision in
      switch decision {
      case .send: finish(response)
      case .refuse(let error): finish(refusal(error))
      case .handleAgain:
        if let threads { threads.run(self) } else { finish(HTTPError.stopping.response) }
      }
    }
  }

  /// Resumes the connection, whose event loop sends the response, or closes the connection if there is no response.
  func finish(_ response: HTTPResponse?) {
    self.response = response
    presence.end()
    isFinished.store(true, ordering: .releasing)
    MHD_resume_connection(connection.handle)
  }

  /// The response, for the event loop.
  func take() -> HTTPResponse? { isFinished.load(ordering: .acquiring) ? response : nil }
}
