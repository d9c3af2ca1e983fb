/// One request on its way from its first line to its answer: a state machine that knows nothing of C.
///
/// The daemon calls ``begin(_:)`` once the headers are there, ``receive(_:)`` for each piece of the body, and ``end()`` when
/// the request is complete; each tells what to do next. One thread at a time has it.
///
/// A request that is refused is read to its end first and the body thrown away, because a client that still writes does
/// not see an answer that closes the connection under it. Not so when nobody can tell where the body ends, when that is
/// too far away, or when the client waits to be told to go on.
struct Exchange {
  /// What the daemon does next.
  enum Step {
    case readOn
    /// Answer now and close the connection.
    case refuse(HTTPError)
    /// Close the connection without a word.
    case hangUp
  }

  private enum State {
    case waiting
    case receiving(HTTPRequest)
    case refusing(HTTPError)
  }

  /// The request target as it was sent; `nil` when it was no UTF-8.
  let target: String?
  let limits: BodyLimits
  /// Why no request is taken at present, whatever it is.
  let closure: HTTPError?
  private var state = State.waiting
  private var received = 0

  init(target: String?, limits: BodyLimits, closure: HTTPError? = nil) {
    self.target = target
    self.limits = limits
    self.closure = closure
  }

  /// Whether the headers have been there.
  var hasBegun: Bool {
    if case .waiting = state { false } else { true }
  }

  mutating func begin(_ head: RequestHead) -> Step {
    let length: RequestHead.BodyLength
    do throws(HTTPError) {
      length = try head.bodyLength()
    } catch {
      return .refuse(error)
    }
    do throws(HTTPError) {
      if let closure { throw closure }
      guard let target else {
        throw HTTPError(.badRequest, "The request target is not UTF-8.")
      }
      var request = try HTTPRequest(method: head.method, target: target, headers: head.headers)
      try head.checkEncoding(of: length)
      if case .known(let count) = length {
        guard count <= limits.accepted else { throw limits.exceeded }
        request.body.reserveCapacity(count)
      }
      state = .receiving(request)
      return .readOn
    } catch {
      state = .refusing(error)
      if head.expectsContinue { return .refuse(error) }
      if case .known(let count) = length, count > limits.swallowed { return .refuse(error) }
      return .readOn
    }
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    received += bytes.count
    guard received <= limits.swallowed else { return .hangUp }
    if received > limits.accepted, case .receiving = state { state = .refusing(limits.exceeded) }
    append(bytes)
    return .readOn
  }

  /// Takes the request out of the state while it grows, so that its body is not copied for every piece.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard case .receiving(var request) = state else { return }
    state = .waiting
    request.body.append(contentsOf: bytes)
    state = .receiving(request)
  }

  /// The whole request, or why there is none.
  mutating func end() throws(HTTPError) -> HTTPRequest {
    defer { state = .waiting }
    switch state {
    case .waiting: throw HTTPError(.internalServerError)
    case .receiving(let request): return request
    case .refusing(let error): throw error
    }
  }
}

/// How much of a body is read.
struct BodyLimits: Sendable {
  /// The longest body that a handler sees.
  let accepted: Int
  /// The longest body that is read at all, to be thrown away: a client sees the 413 only when it has written everything.
  let swallowed: Int

  init(accepted: Int) {
    self.accepted = accepted
    swallowed = max(accepted, min(accepted, 16 << 20) * 8)
  }

  var exceeded: HTTPError {
    HTTPError(.contentTooLarge, "The body is longer than the \(accepted) bytes that are taken.")
  }
}
