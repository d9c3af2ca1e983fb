import CLibrary
internal import CMicrohttpd
internal import MirrorSupport
internal import Synchronization

/// One request that is answered while its connection is suspended. The event loop makes a job for a
/// request that a worker runs, and for one whose response is deferred.
///
/// The job passes from one thread to the next. The event loop has it first, then a worker, then the
/// thread that completes a deferred response. Only the thread that has the job uses ``waits`` and
/// ``request``. Any thread may resume the connection, but only the first response counts.
final class Job: @unchecked Sendable {
  /// Whether the request is handled again because a deferred response was completed with
  /// `handleAgain`. The handler may not defer its response again, so it blocks its thread until the
  /// response may be sent.
  private(set) var waits = false
  /// The request. It loses its body when a response is deferred that does not need the body.
  private(set) var request: HTTPRequest
  private let connection: Connection
  private let presence: ClientPresence
  private let workers: Workers?
  private let deferredJobs: DeferredJobs
  private let handler: (HTTPRequest) -> HTTPResponse
  /// Written before the connection is resumed, and read by the event loop afterwards.
  private var response: HTTPResponse?
  /// Whether the job has ended, with or without a response. ``resume(with:)`` ends it, and later
  /// calls have no effect.
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
  /// - Parameter continuation: makes the response in place of the route's handler; `nil` to call
  ///   that handler.
  func submit(_ continuation: (@Sendable (HTTPRequest) throws -> HTTPResponse)? = nil) {
    request.continuation = continuation
    if workers?.submit(self) != true { finish(HTTPError.stopping.response) }
  }

  /// Makes the response. A read for a disconnected client is skipped, a change is not.
  func run() {
    if isReading, presence.isGone { return resume(with: nil) }
    var request = request
    request.mayDefer = !waits
    // Only the local copy of the request keeps the continuation, so that the values that it has
    // captured are released when this method returns.
    self.request.continuation = nil
    finish(handler(request))
  }

  /// Resumes the connection now, or when a deferred response is completed.
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

  /// Resumes the connection. Its event loop then sends the response, or closes the connection if
  /// there is no response.
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

/// The jobs of a ``Daemon`` whose responses are deferred. The daemon calls ``close()`` before it
/// stops libmicrohttpd, which aborts if a connection is still suspended then.
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

  /// Responds to all jobs with 503. ``add(_:)`` refuses later jobs.
  func close() {
    let jobs = state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [:] }
      return state.jobs.values
    }
    for job in jobs { job.cancel() }
  }
}

/// Whether the client of a request that runs on a worker is still connected.
///
/// Only a reset connection counts as disconnected. A client that has closed its writing side may
/// still read, and its socket is in the same state as after a complete close.
final class ClientPresence: Sendable {
  private let descriptor: Int32
  /// Whether the descriptor still belongs to the connection.
  private let isOpen = Atomic<Bool>(true)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the connection was reset. Takes one system call.
  var isGone: Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// ``Job`` calls this before it resumes the connection. Afterwards another connection may reuse
  /// the descriptor, so ``isGone`` does not poll it any more.
  func end() { isOpen.store(false, ordering: .releasing) }
}

extension HTTPError {
  /// A handler throws this when its client has disconnected. Only the log contains it.
  public static var abandoned: HTTPError {
    HTTPError(HTTPStatus(code: 499), "The client closed its connection before the response was ready.")
  }
}
