internal import MirrorSupport

/// The requests of one connection, one after the other, each from its first line to its response: a
/// state machine that does not call libmicrohttpd. ``Client`` has one.
///
/// The event loop calls ``start(target:isStopping:beginning:)`` with the first line,
/// ``begin(_:hasValidSeparators:reading:)`` with the headers, ``receive(_:)`` with each piece of
/// the body, and ``end()`` when the request is complete. The calls for the headers and the body
/// return the next ``Step``, the last call the ``Outcome``. Only one thread uses an exchange.
///
/// Most clients repeat their headers, so a head with the same bytes as the one before is not parsed
/// again.
///
/// A refused request is read to its end and its body discarded: a client that is still writing does
/// not read a response. But the server responds at once and closes the connection if the head
/// violates HTTP/1.1 (the end of the body is then unknown), if the announced body is longer than
/// ``BodyLimits/discarded``, or if the client waits for `100 Continue`.
struct Exchange: ~Copyable {
  /// The event loop's next step.
  enum Step {
    case readOn
    /// Respond now and close the connection.
    case refuse(HTTPError)
    /// Close the connection without a response.
    case hangUp
  }

  /// What follows from a complete request.
  enum Outcome {
    case handle(HTTPRequest)
    case refuse(HTTPError)
    case answer(HTTPResponse)
  }

  private enum State: ~Copyable {
    case waiting
    /// The headers are accepted, the body is being received.
    case receiving
    /// The response is decided, whatever the body contains.
    case settled(HTTPResponse)
    /// The request is refused, whatever the rest of its body contains.
    case refused(HTTPError)
    /// ``end()`` was called.
    case complete
  }

  /// The connection's last accepted head: its bytes, and what they were parsed to.
  private final class CachedHead {
    let bytes: [UInt8]
    let head: HTTPRequest.Head
    let length: RequestHead.BodyLength

    /// Longer heads are not cached, which bounds the memory of idle connections.
    static let longest = 4 << 10

    init(_ bytes: [UInt8], _ head: HTTPRequest.Head, _ length: RequestHead.BodyLength) {
      (self.bytes, self.head, self.length) = (bytes, head, length)
    }
  }

  /// The request target as the client sent it.
  private var target: [UInt8] = []
  /// The addresses of the target in libmicrohttpd's memory when the first line was read, for
  /// ``HeadLayout``.
  private(set) var place: Range<UInt> = 0..<0
  private var cached: CachedHead?
  private let limits: BodyLimits
  /// Whether the server is stopping, so that every request is refused.
  private var isStopping = false
  /// `nil` until the headers and the target have been parsed.
  private var head: HTTPRequest.Head?
  /// The method of a request whose headers are refused.
  private var methodAlone: HTTPMethod?
  /// When the first line was read; `nil` where no report is wanted.
  private var beginning: MonotonicTime?
  private var state = State.waiting
  /// Whether the connection is closed after the response, because the target is ambiguous.
  private(set) var isLast = false
  private var body: [UInt8] = []
  /// How many bytes of the body were received.
  private(set) var received = 0
  /// How many bytes of the budget the body holds.
  private var held = 0

  /// The response to `OPTIONS *`: all methods that some route may have.
  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

  init(limits: BodyLimits) { self.limits = limits }

  /// A request that is refused, without its body; `nil` if its headers or its target are malformed.
  var refused: HTTPRequest? { head.map { HTTPRequest($0, body: []) } }

  /// `nil` until the headers have been read.
  var method: HTTPMethod? { head?.method ?? methodAlone }

  /// The target's path as the client sent it, without the query; `nil` when it is not UTF-8.
  var path: String? {
    head?.target.path
      ?? String(validating: target, as: UTF8.self).map { target in
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
      }
  }

  /// Whether the headers have been read.
  var hasBegun: Bool {
    switch state {
    case .waiting: false
    default: true
    }
  }

  /// Begins a request whose first line has been read. Records the target.
  mutating func start(target: UnsafeRawBufferPointer, isStopping: Bool = false, beginning: MonotonicTime? = nil) {
    if !self.target.withUnsafeBytes({ $0.hasSameBytes(as: target) }) {
      self.target = Array(target)
      cached = nil
    }
    place = HeadLayout.range(of: target)
    self.isStopping = isStopping
    self.beginning = beginning
  }

  // MARK: - The head

  /// - Parameters:
  ///   - head: the block of memory with the whole head, each part ended by a NUL. If the layout is
  ///     intact, equal bytes mean an equal head, except for the query, which only the target
  ///     contains.
  ///   - hasValidSeparators: whether the layout is intact, see ``HeadLayout``.
  ///   - read: parses the head.
  mutating func begin(_ head: UnsafeRawBufferPointer, hasValidSeparators: Bool, reading read: () -> RequestHead) -> Step
  {
    if let cached, !isStopping, hasValidSeparators, cached.bytes.withUnsafeBytes({ $0.hasSameBytes(as: head) }) {
      expect(cached.head, cached.length)
      return .readOn
    }
    cached = nil
    var parts = read()
    parts.hasValidSeparators = hasValidSeparators
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
      if target.count > RequestHead.longest { throw HTTPError(.uriTooLong, "The target is longer than 16 KiB.") }
      if target.count + head.memory > RequestHead.longest {
        throw HTTPError(.requestHeaderFieldsTooLarge, "The headers are longer than 16 KiB.")
      }
      if target.elementsEqual("*".utf8), head.method == .options {
        state = .settled(HTTPResponse(status: .noContent, headers: ["Allow": Self.methods]))
        return .readOn
      }
      let accepted = HTTPRequest.Head(head.method, try readTarget(), head.headers)
      self.head = accepted
      try head.checkEncoding(of: length)
      if case .known(let count) = length, count > limits.accepted { throw limits.exceeded }
      expect(accepted, length)
      if (1...CachedHead.longest).contains(bytes.count) { cached = CachedHead(Array(bytes), accepted, length) }
      return .readOn
    } catch {
      state = .refused(error)
      if head.expectsContinue { return .refuse(error) }
      if case .known(let count) = length, count > limits.discarded { return .refuse(error) }
      return .readOn
    }
  }

  /// - Throws: for an invalid target. A target that is not a path, or has a control character, also
  ///   closes the connection after the response, because another program could read the target
  ///   differently.
  private mutating func readTarget() throws(HTTPError) -> RequestTarget {
    guard let target = String(validating: target, as: UTF8.self) else {
      throw HTTPError(.badRequest, "The request target must be valid UTF-8.")
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
    // At most 256 KiB: a client can announce a long body and never send it.
    if case .known(let count) = length { body.reserveCapacity(min(count, 256 << 10)) }
    state = .receiving
  }

  // MARK: - The body

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    received += bytes.count
    guard received <= limits.discarded else { return .hangUp }
    guard isReceiving else { return .readOn }
    if received > limits.accepted {
      refuse(limits.exceeded)
    } else if !limits.budget.reserve(bytes.count) {
      refuse(limits.budget.exceeded)
    } else {
      held += bytes.count
      body.append(contentsOf: bytes)
    }
    return .readOn
  }

  /// Whether the body is kept.
  private var isReceiving: Bool {
    switch state {
    case .receiving: true
    default: false
    }
  }

  /// Refuses the request, and releases the received part of the body. Later parts are discarded.
  private mutating func refuse(_ error: HTTPError) {
    state = .refused(error)
    releaseBody()
  }

  private mutating func releaseBody() {
    body = []
    limits.budget.release(held)
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

  /// Ends a request that was received completely, and decides what follows.
  mutating func end() -> Outcome {
    var reached = State.complete
    swap(&reached, &state)
    switch consume reached {
    case .receiving:
      guard let head else { break }
      var request = HTTPRequest(head, body: [])
      swap(&request.body, &body)
      if held > 0 { request.share = BodyBudget.Share(of: limits.budget, count: held) }
      held = 0
      return .handle(request)
    case .settled(let response): return .answer(response)
    case .refused(let error): return .refuse(error)
    default: break
    }
    return .answer(HTTPError(.internalServerError).response)
  }

  /// When the request began, for its report. `nil` from the second call on, so that there is one
  /// report.
  mutating func takeBeginning() -> MonotonicTime? {
    defer { beginning = nil }
    return beginning
  }

  /// Releases the memory of a request that has ended, with or without a response.
  mutating func finish() {
    releaseBody()
    state = .waiting
    (head, methodAlone, isStopping, beginning) = (nil, nil, false, nil)
    if cached == nil { target = [] }
    received = 0
    isLast = false
  }
}
