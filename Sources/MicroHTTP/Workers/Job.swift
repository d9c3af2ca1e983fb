internal import CMicrohttpd
internal import Synchronization

/// One request that is answered while its connection is suspended.
final class Job: @unchecked Sendable {
  /// Whether the handler must wait instead of deferring its response.
  private(set) var waits = false
  /// Without its body while a response is deferred that does not need it.
  private(set) var request: HTTPRequest
  private let connection: Connection
  private let presence: ClientPresence
  private let workers: Workers?
  private let handler: (HTTPRequest) -> HTTPResponse
  /// Written before the connection is resumed, and read by the event loop afterwards.
  private var response: HTTPResponse?
  /// Whether the connection has been resumed.
  private let isFinished = Atomic<Bool>(false)

  init(
    _ request: HTTPRequest, on connection: Connection, from client: Client, by workers: Workers?,
    handler: @escaping (HTTPRequest) -> HTTPResponse
  ) {
    let presence = ClientPresence(descriptor: client.descriptor)
    var request = request
    request.presence = presence
    self.presence = presence
    self.request = request
    self.connection = connection
    self.workers = workers
    self.handler = handler
  }

  /// Whether the request only reads.
  var isReading: Bool { request.method == .get || request.method == .head }

  /// Lets a worker make the response.
  ///
  /// - Parameter continuation: makes it in place of the route's handler.
  func submit(_ continuation: (@Sendable (HTTPRequest) throws -> HTTPResponse)? = nil) {
    request.continuation = continuation
    if workers?.submit(self) != true { finish(HTTPError.stopping.response) }
  }

  /// Makes the response. A read for a disconnected client is skipped; a change is applied all the same.
  func run() {
    if isReading, presence.isGone { return resume(with: nil) }
    var request = request
    request.mayDefer = !waits
    finish(handler(request))
  }

  /// Resumes the connection when the response is completed.
  func finish(_ response: HTTPResponse) {
    guard let deferred = response.deferred else { return resume(with: response) }
    if !deferred.keepsBody { request.body = [] }
    deferred.whenCompleted { [self] completion in
      switch completion {
      case .send: resume(with: response)
      case .make(let continuation): submit(continuation)
      case .handleAgain:
        waits = true
        submit()
      }
    }
  }

  /// Resumes the connection, whose event loop sends the response, or closes the connection if there is no response.
  private func resume(with response: HTTPResponse?) {
    self.response = response
    presence.end()
    isFinished.store(true, ordering: .releasing)
    MHD_resume_connection(connection.handle)
  }

  /// The response, for the event loop.
  func take() -> HTTPResponse? { isFinished.load(ordering: .acquiring) ? response : nil }
}
