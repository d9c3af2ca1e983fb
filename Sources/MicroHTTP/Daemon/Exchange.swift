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

  /// What a complete request comes to.
  enum Outcome {
    case handle(HTTPRequest)
    case answer(HTTPResponse)
  }

  private enum State {
    case waiting
    case receiving(HTTPRequest)
    /// The answer is known, whatever the body says.
    case settled(HTTPResponse)
  }

  /// The request target as it was sent; `nil` when it was no UTF-8.
  private(set) var target: String?
  /// The path of the target, without its query.
  var path: String? {
    target.map { target in
      target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
    }
  }
  /// Where the target was when it was read, to be compared.
  let place: Range<UInt>
  /// `nil` until the headers are there.
  private(set) var method: HTTPMethod?
  /// When the first line was there, where that is asked.
  private var beginning: ContinuousClock.Instant?
  /// How many bytes of the body came.
  private(set) var received = 0
  private let limits: BodyLimits
  /// Why no request is taken at present, whatever it is.
  private let closure: HTTPError?
  private var state = State.waiting
  /// What the body has taken of the budget.
  private var held = 0

  /// What the server as a whole is asked to do with `OPTIONS *`: the methods that some path may have.
  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

  /// A request whose first line is there.
  init(
    target: String? = nil, place: Range<UInt> = 0..<0, limits: BodyLimits = .none, closure: HTTPError? = nil,
    beginning: ContinuousClock.Instant? = nil
  ) {
    self.target = target
    self.place = place
    self.limits = limits
    self.closure = closure
    self.beginning = beginning
  }

  /// Whether the headers have been there.
  var hasBegun: Bool {
    if case .waiting = state { false } else { true }
  }

  mutating func begin(_ head: RequestHead) -> Step {
    method = head.method
    let length: RequestHead.BodyLength
    do throws(HTTPError) {
      try head.check()
      length = try head.bodyLength()
    } catch {
      return .refuse(error)
    }
    do throws(HTTPError) {
      if let closure { throw closure }
      guard let target else {
        throw HTTPError(.badRequest, "The request target is not UTF-8.")
      }
      if target == "*", head.method == .options {
        state = .settled(HTTPResponse(status: .noContent, headers: ["Allow": Self.methods]))
        return .readOn
      }
      var request = try HTTPRequest(method: head.method, target: target, headers: head.headers)
      try head.checkEncoding(of: length)
      if case .known(let count) = length {
        guard count <= limits.accepted else { throw limits.exceeded }
        // Not at once for a long one: it costs the client nothing to announce it.
        request.body.reserveCapacity(min(count, 256 << 10))
      }
      state = .receiving(request)
      return .readOn
    } catch {
      state = .settled(error.response)
      if head.expectsContinue { return .refuse(error) }
      if case .known(let count) = length, count > limits.swallowed { return .refuse(error) }
      return .readOn
    }
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    received += bytes.count
    guard received <= limits.swallowed else { return .hangUp }
    if case .receiving = state {
      if received > limits.accepted {
        refuse(limits.exceeded)
      } else if !limits.budget.take(bytes.count) {
        refuse(limits.budget.exceeded)
      } else {
        held += bytes.count
        append(bytes)
      }
    }
    return .readOn
  }

  /// Reads on, but keeps nothing.
  private mutating func refuse(_ error: HTTPError) {
    state = .settled(error.response)
    limits.budget.give(held)
    held = 0
  }

  /// Takes the request out of the state while it grows, so that its body is not copied for every piece.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard case .receiving(var request) = state else { return }
    state = .waiting
    request.body.append(contentsOf: bytes)
    state = .receiving(request)
  }

  /// When it began, for the one report of it: `nil` from the second time on.
  mutating func takeBeginning() -> ContinuousClock.Instant? {
    defer { beginning = nil }
    return beginning
  }

  /// The answer has been sent, or never will be: gives back what it had.
  mutating func finish() {
    limits.budget.give(held)
    self = Exchange()
  }

  /// The request is complete.
  mutating func end() -> Outcome {
    defer { state = .waiting }
    switch state {
    case .waiting: return .answer(HTTPError(.internalServerError).response)
    case .receiving(let request): return .handle(request)
    case .settled(let response): return .answer(response)
    }
  }
}
