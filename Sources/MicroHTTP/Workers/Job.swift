internal import CMicrohttpd
internal import MirrorSupport
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
  private let deferredJobs: DeferredJobs
  private let handler: (HTTPRequest) -> HTTPResponse
  /// Written before the connection is resumed, and read by the event loop afterwards.
  private var response: HTTPResponse?
  /// Whether there is a response. Only the first counts.
  private let isAnswered = Atomic<Bool>(false)
  /// Whether the event loop may read ``response``.
  private let isFinished = Atomic<Bool>(false)

  init(
    _ request: HTTPRequest, on connection: Connection, from client: Client, by workers: Workers?,
    deferredJobs: DeferredJobs, handler: @escaping (HTTPRequest) -> HTTPResponse
  ) {
    let presence = ClientPresence(descriptor: client.descriptor)
    var request = request
    request.presence = presence
    self.presence = presence
    self.request = request
    self.connection = connection
    self.workers = workers
    self.deferredJobs = deferredJobs
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

  /// Makes the response. A read for a disconnected client is skipped, a change is not.
  func run() {
    if isReading, presence.isGone { return resume(with: nil) }
    var request = request
    request.mayDefer = !waits
    // What it holds is released when it has run.
    self.request.continuation = nil
    finish(handler(request))
  }

  /// Resumes the connection when the response is completed.
  func finish(_ response: HTTPResponse) {
    guard let deferred = response.deferred else { return resume(with: response) }
    if !deferred.keepsBody { (request.body, request.share) = ([], nil) }
    guard deferredJobs.add(self) else { return resume(with: HTTPError.stopping.response) }
    deferred.whenCompleted { [self] completion in
      deferredJobs.remove(self)
      switch completion {
      case .send: resume(with: response)
      case .make(let continuation): submit(continuation)
      case .handleAgain:
        waits = true
        submit()
      }
    }
  }

  /// Responds with 503 instead of the deferred response.
  fileprivate func cancel() { resume(with: HTTPError.stopping.response) }

  /// Resumes the connection, whose event loop sends the response, or closes the connection if there is no response.
  private func resume(with response: HTTPResponse?) {
    if isAnswered.exchange(true, ordering: .acquiringAndReleasing) { return }
    self.response = response
    presence.end()
    isFinished.store(true, ordering: .releasing)
    MHD_resume_connection(connection.handle)
  }

  /// The response, for the event loop.
  func take() -> HTTPResponse? { isFinished.load(ordering: .acquiring) ? response : nil }
}

/// The jobs whose responses are deferred. libmicrohttpd aborts if a connection is still suspended when it stops.
final class DeferredJobs: Sendable {
  private struct State {
    var jobs: [ObjectIdentifier: Job] = [:]
    var isClosed = false
  }

  private let state = Guarded(State())

  /// - Returns: false when responses may not be deferred any more.
  func add(_ job: Job) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.jobs[ObjectIdentifier(job)] = job
      return true
    }
  }

  func remove(_ job: Job) { state.withLock { $0.jobs[ObjectIdentifier(job)] = nil } }

  /// Responds to all of them with 503. Later ones are refused.
  func close() {
    let jobs = state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [:] }
      return state.jobs.values
    }
    for job in jobs { job.cancel() }
  }
}
