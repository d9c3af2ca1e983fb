internal import CMicrohttpd

/// A connection of the daemon, for as long as one of its callbacks runs.
struct Connection {
  let handle: OpaquePointer

  /// The head of the current request as the first call of its handler finds it: cut up, its parts still in one block.
  struct Head {
    fileprivate let handle: OpaquePointer
    fileprivate let method: UnsafeRawBufferPointer
    fileprivate let version: UnsafeRawBufferPointer
    /// All of it; empty where it is not known how it lies.
    let bytes: UnsafeRawBufferPointer
  }

  func head(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> Head {
    Head(
      handle: handle, method: HeadLayout.bytes(of: method), version: HeadLayout.bytes(of: version),
      bytes: UnsafeRawBufferPointer(start: method, count: HeadLayout.isKnown ? shim_connection_head_size(handle) : 0))
  }

  /// What an answer needs to know besides itself.
  struct Delivery {
    /// Whether the connection ends with it.
    var isClosing: Bool
    /// Whether it answers a `HEAD`.
    var isToHead = false
    /// Who gets it.
    var client: Client
    /// The thread that it goes out on.
    var lane: Lane
    var watch: Watch { lane.daemon.watch }
    var answers: AnswerBudget { lane.daemon.answers }
  }

  /// Queues the answer. One that cannot be sent as it is (a line break in a header, a status that is none) goes out as a
  /// 500: a handler may be wrong, the client still hears something.
  ///
  /// - Returns: what goes out; `nil` when the daemon takes no answer.
  func send(_ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    queue(response, delivery) ?? queue(HTTPError(.internalServerError).response, delivery)
  }

  /// What went out, for the report of it.
  struct Sent {
    var status: HTTPStatus
    /// Bytes of the body.
    var count: Int
  }

  private func queue(_ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    guard (200...599).contains(response.status.code) else {
      if case .stream(let stream) = response.body { stream.close(.gone) }
      return nil
    }
    if !delivery.isClosing, let answer = delivery.lane.answers.take(for: response) ?? SentAnswer(response) {
      guard let sent = queue(answer.handle, response, delivery) else { return nil }
      delivery.client.answer = answer
      return sent
    }
    let hasBody = response.hasBody
    let queued: OpaquePointer?
    switch response.body {
    case .stream(let stream) where !hasBody || delivery.isToHead:
      stream.close(.ended)
      queued = hasBody ? Self.emptyStream() : Self.body([], delivery.answers)
    case .stream(let stream):
      guard let sender = StreamSender(stream, on: self, of: delivery.watch) else {
        stream.close(.gone)
        return queue(HTTPError.tooManyStreams.response, delivery)
      }
      queued = sender.response()
    case .bytes(let bytes): queued = Self.body(hasBody ? bytes : [], delivery.answers)
    case .empty: queued = Self.body([], delivery.answers)
    }
    guard let queued else { return nil }
    defer { MHD_destroy_response(queued) }

    guard Self.add(response.headers, to: queued) else { return nil }
    if delivery.isClosing { _ = MHD_add_response_header(queued, "Connection", "close") }
    return queue(queued, response, delivery)
  }

  /// - Returns: whether the daemon has taken them all.
  static func add(_ headers: HTTPHeaders, to queued: OpaquePointer) -> Bool {
    add(headers.own, to: queued) && add(headers.shared, to: queued)
  }

  private static func add(_ fields: [HTTPHeaders.Field], to queued: OpaquePointer) -> Bool {
    for field in fields where !RequestHead.isOfTheDaemon(field.name) && !field.value.isEmpty {
      // Handed over as a string each would be copied into an array first.
      let isTaken = field.name.withCString { name in
        field.value.withCString { MHD_add_response_header(queued, name, $0) == .YES }
      }
      guard isTaken else { return false }
    }
    return true
  }

  private func queue(_ queued: OpaquePointer, _ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    guard MHD_queue_response(handle, UInt32(response.status.code), queued) == .YES else { return nil }
    guard case .bytes(let bytes) = response.body, response.hasBody, !delivery.isToHead else {
      return Sent(status: response.status, count: 0)
    }
    return Sent(status: response.status, count: bytes.count)
  }

  /// The daemon looks at the connection no more until ``resume()``. The handler that is running returns without an answer.
  func suspend() { MHD_suspend_connection(handle) }

  /// Holds the storage of an array for as long as an answer is sent from it.
  private final class HeldBytes {
    let bytes: [UInt8]
    private let budget: AnswerBudget

    init(_ bytes: [UInt8], _ budget: AnswerBudget) {
      (self.bytes, self.budget) = (bytes, budget)
      if let start { budget.hold(start, bytes.count) }
    }

    deinit { if let start { budget.letGo(start, bytes.count) } }

    /// Nobody changes the array, so its storage stays where it is.
    var start: UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }
  }

  /// From this size on many readers of one answer share its bytes.
  private static let sharedBody = 64 << 10

  /// A short body is copied, since the answer may be sent after the callback has returned. A long one is held instead: an
  /// array that nobody changes keeps its storage where it is.
  private static func body(_ bytes: [UInt8], _ budget: AnswerBudget) -> OpaquePointer? {
    if bytes.count >= sharedBody {
      let held = Unmanaged.passRetained(HeldBytes(bytes, budget))
      let start = held._withUnsafeGuaranteedRef { UnsafeMutableRawPointer(mutating: $0.start) }
      let response = MHD_create_response_from_buffer_with_free_callback_cls(
        bytes.count, start, { if let held = $0 { Unmanaged<HeldBytes>.fromOpaque(held).release() } }, held.toOpaque())
      if response == nil { held.release() }
      return response
    }
    return bytes.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  /// What has the headers of a stream, for a `HEAD`. Not in chunks: libmicrohttpd (0.9.75) would send the last one, which
  /// the client takes for the beginning of the next answer.
  private static func emptyStream() -> OpaquePointer? {
    let response = MHD_create_response_from_callback(.max, 1, { _, _, _, _ in StreamSender.end }, nil, nil)
    if let response { shim_send_unchunked(response) }
    return response
  }
}

extension HTTPResponse {
  /// Whether a body follows, where the request is no `HEAD`.
  var hasBody: Bool { status != .noContent && status != .notModified }
}

extension Connection.Head {
  /// Whether its parts lie where they should.
  ///
  /// - Parameter target: where the target was when it was read.
  func isSeparatedWell(target: Range<UInt>) -> Bool {
    var layout = HeadLayout(method: method, target: target, version: version, size: bytes.count)
    withUnsafeMutablePointer(to: &layout) { layout in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          context?.assumingMemoryBound(to: HeadLayout.self).pointee.add(
            part(name, nameLength), part(value, valueLength))
          return .YES
        }, layout)
    }
    return !HeadLayout.isKnown || layout.isStrictToTheEnd
  }

  func read() -> RequestHead {
    var head = RequestHead(method: method, version: version)
    withUnsafeMutablePointer(to: &head) { head in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          context?.assumingMemoryBound(to: RequestHead.self).pointee.add(
            part(name, nameLength), part(value, valueLength))
          return .YES
        }, head)
    }
    return head
  }
}

/// A name or a value as the daemon shows it.
private func part(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
}
