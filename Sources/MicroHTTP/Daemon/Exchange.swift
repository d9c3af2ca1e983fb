/// The requests of one connection, each on its way from its first line to its answer: a state machine that knows nothing
/// of C.
///
/// The daemon calls ``start(target:isStopping:beginning:)`` with the first line, ``begin(_:isSeparatedWell:reading:)`` once the
/// headers are there, ``receive(_:)`` for each piece of the body, and ``end()`` when the request is complete; each tells
/// what to do next. One thread at a time has it.
///
/// Clients say the same with nearly every request, so a head that is the last one's, byte for byte, is not read again.
///
/// A request that is refused is read to its end first and the body thrown away, because a client that still writes does
/// not see an answer that closes the connection under it. Not so when nobody can tell where the body ends, when that is
/// too far away, or when the client waits to be told to go on.
struct Exchange: ~Copyable {
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

  private enum State: ~Copyable {
    case waiting
    /// A request, see ``head``, whose body is on its way.
    case receiving
    /// The answer is known, whatever the body says.
    case settled(HTTPResponse)
    /// ``end()`` was called.
    case complete
  }

  /// A head of the current target that was taken, and what came of it.
  private final class Known {
    let bytes: [UInt8]
    let head: HTTPRequest.Head
    let length: RequestHead.BodyLength

    /// A longer one is read each time, so that connections that wait take little.
    static let longest = 4 << 10

    init(_ bytes: [UInt8], _ head: HTTPRequest.Head, _ length: RequestHead.BodyLength) {
      (self.bytes, self.head, self.length) = (bytes, head, length)
    }
  }

  /// The request target as it was sent.
  private var target: [UInt8] = []
  /// Where that was when it was read, to be compared.
  private(set) var place: Range<UInt> = 0..<0
  private var known: Known?
  private let limits: BodyLimits
  /// Whether no request is taken at present, whatever it is.
  private var isStopping = false
  /// `nil` until the headers are there, and where they are refused.
  private var head: HTTPRequest.Head?
  /// The method where there is no more of a head.
  private var methodAlone: HTTPMethod?
  /// When the first line was there, where that is asked.
  private var beginning: Monotonic?
  private var state = State.waiting
  /// Whether the connection is closed after the answer: nobody can tell what the next request of such a client means.
  private(set) var isLast = false
  private var body: [UInt8] = []
  /// How many bytes of the body came.
  private(set) var received = 0
  /// What the body has taken of the budget.
  private var held = 0

  /// What the server as a whole is asked to do with `OPTIONS *`: the methods that some path may have.
  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

  init(limits: BodyLimits) { self.limits = limits }

  /// `nil` until the headers are there.
  var method: HTTPMethod? { head?.method ?? methodAlone }

  /// The path of the target as it was sent, without its query; `nil` when it was no UTF-8.
  var path: String? {
    head?.target.path
      ?? String(validating: target, as: UTF8.self).map { target in
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
      }
  }

  /// Whether the headers have been there.
  var hasBegun: Bool {
    switch state {
    case .waiting: false
    default: true
    }
  }

  /// The first line of a request is there.
  mutating func start(target: UnsafeRawBufferPointer, isStopping: Bool = false, beginning: Monotonic? = nil) {
    if !self.target.withUnsafeBytes({ $0.hasSameBytes(as: target) }) {
      self.target = Array(target)
      known = nil
    }
    place = HeadLayout.place(of: target)
    self.isStopping = isStopping
    self.beginning = beginning
  }

  // MARK: - The head

  /// - Parameters:
  ///   - head: all of it, its parts ended by zeros and nothing else changed but the query, which is part of the target. Where
  ///     the parts lie where they should, that tells one head from another.
  ///   - isSeparatedWell: whether they do, see ``HeadLayout``.
  ///   - read: reads it.
  mutating func begin(_ head: UnsafeRawBufferPointer, isSeparatedWell: Bool, reading read: () -> RequestHead) -> Step {
    if let known, !isStopping, isSeparatedWell, known.bytes.withUnsafeBytes({ $0.hasSameBytes(as: head) }) {
      expect(known.head, known.length)
      return .readOn
    }
    known = nil
    var parts = read()
    parts.isSeparatedWell = isSeparatedWell
    return begin(parts, bytes: head)
  }

  private mutating func begin(_ head: RequestHead, bytes: UnsafeRawBufferPointer) -> Step {
    methodAlone = head.method
    let length: RequestHead.BodyLength
    do throws(HTTPError) {
      try head.check()
      length = try head.bodyLength()
    } catch {
      return .refuse(error)
    }
    do throws(HTTPError) {
      if isStopping { throw .stopping }
      if target.elementsEqual("*".utf8), head.method == .options {
        state = .settled(HTTPResponse(status: .noContent, headers: ["Allow": Self.methods]))
        return .readOn
      }
      let taken = HTTPRequest.Head(head.method, try readTarget(), head.headers)
      try head.checkEncoding(of: length)
      if case .known(let count) = length, count > limits.accepted { throw limits.exceeded }
      expect(taken, length)
      if (1...Known.longest).contains(bytes.count) { known = Known(Array(bytes), taken, length) }
      return .readOn
    } catch {
      state = .settled(error.response)
      if head.expectsContinue { return .refuse(error) }
      if case .known(let count) = length, count > limits.swallowed { return .refuse(error) }
      return .readOn
    }
  }

  /// - Throws: for a target that cannot be read; one that is no path or has a control character closes the connection after
  ///   the answer, since another program could read it in another way.
  private mutating func readTarget() throws(HTTPError) -> RequestTarget {
    guard let target = String(validating: target, as: UTF8.self) else {
      throw HTTPError(.badRequest, "The request target is not UTF-8.")
    }
    do throws(HTTPError) {
      return try RequestTarget(target)
    } catch {
      isLast = !RequestTarget.isWellFormed(target)
      throw error
    }
  }

  private mutating func expect(_ head: HTTPRequest.Head, _ length: RequestHead.BodyLength) {
    self.head = head
    // Not at once for a long one: it costs the client nothing to announce it.
    if case .known(let count) = length { body.reserveCapacity(min(count, 256 << 10)) }
    state = .receiving
  }

  // MARK: - The body

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    received += bytes.count
    guard received <= limits.swallowed else { return .hangUp }
    guard isReceiving else { return .readOn }
    if received > limits.accepted {
      refuse(limits.exceeded)
    } else if !limits.budget.take(bytes.count) {
      refuse(limits.budget.exceeded)
    } else {
      held += bytes.count
      body.append(contentsOf: bytes)
    }
    return .readOn
  }

  /// Whether the body is wanted.
  private var isReceiving: Bool {
    switch state {
    case .receiving: true
    default: false
    }
  }

  /// Reads on, but keeps nothing.
  private mutating func refuse(_ error: HTTPError) {
    state = .settled(error.response)
    giveBack()
  }

  private mutating func giveBack() {
    body = []
    limits.budget.give(held)
    held = 0
  }

  // MARK: - The end

  /// Whether ``end()`` was called.
  var isComplete: Bool {
    switch state {
    case .complete: true
    default: false
    }
  }

  /// The request is complete.
  mutating func end() -> Outcome {
    var reached = State.complete
    swap(&reached, &state)
    switch consume reached {
    case .receiving:
      guard let head else { break }
      var request = HTTPRequest(head, body: [])
      swap(&request.body, &body)
      return .handle(request)
    case .settled(let response): return .answer(response)
    default: break
    }
    return .answer(HTTPError(.internalServerError).response)
  }

  /// When it began, for the one report of it: `nil` from the second time on.
  mutating func takeBeginning() -> Monotonic? {
    defer { beginning = nil }
    return beginning
  }

  /// The answer has been sent, or never will be: gives back what it had.
  mutating func finish() {
    giveBack()
    state = .waiting
    (head, methodAlone, isStopping, beginning) = (nil, nil, false, nil)
    if known == nil { target = [] }
    received = 0
    isLast = false
  }
}
