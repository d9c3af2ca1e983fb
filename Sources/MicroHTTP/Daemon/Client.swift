internal import Synchronization

/// One connection, shared by the event loop that serves it and the ``ConnectionMonitor``.
///
/// There is no lock, because every request would take it several times. Only the event loop
/// accesses the exchange. The event loop publishes its progress as one atomic number. The monitor
/// reads this number, and replaces it to cut the connection off. Both use compare-and-exchange, so
/// if the monitor cuts off while the event loop makes progress, exactly one of them succeeds.
final class Client: @unchecked Sendable {
  enum Phase: UInt64 {
    /// Between requests, or while the first line of a request arrives.
    case idle
    case head
    case body
    /// The handler runs, or waits for a worker.
    case answering
    /// The response is being sent.
    case sending
    case streaming
    /// The monitor has given the connection up.
    case cutOff
  }

  /// A request whose connection is suspended until it has a response.
  enum Delegated {
    /// The job begins, and the connection is suspended, when libmicrohttpd asks for the response
    /// the second time. A connection that is suspended in the first call can be lost.
    /// - Parameter response: the deferred response of the handler; `nil` if a worker is to run the
    ///   handler.
    case postponed(Job, HTTPResponse?)
    /// The connection is suspended until the job is finished.
    case submitted(Job)
  }

  /// The number of the connection's current request, and its phase in the three lowest bits.
  struct Progress: Hashable {
    fileprivate(set) var rawValue: UInt64 = 0

    var phase: Phase { Phase(rawValue: rawValue & 7) ?? .idle }
    var number: UInt64 { rawValue >> 3 }

    init(number: UInt64 = 0, phase: Phase = .idle) { rawValue = number << 3 | phase.rawValue }

    fileprivate init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  let descriptor: Int32
  /// The connection's requests. Only the event loop uses it.
  @exclusivity(unchecked) var exchange: Exchange
  /// The current request while a worker or a deferred response answers it. Only the event loop uses
  /// this property.
  @exclusivity(unchecked) var delegated: Delegated?
  /// The cached response that is being sent. Only the event loop uses it.
  @exclusivity(unchecked) var response: ReusableResponse?
  private let shared = Atomic<UInt64>(0)
  private let bytes = Atomic<Int>(0)
  /// The value that the event loop last stored in `shared`, and expects at its next
  /// compare-and-exchange.
  @exclusivity(unchecked) private var current = Progress()

  init(descriptor: Int32, limits: BodyLimits) {
    self.descriptor = descriptor
    exchange = Exchange(limits: limits)
  }

  // MARK: - The event loop

  /// Publishes a new phase. The phase `head` begins the next request.
  ///
  /// - Returns: false when the monitor has cut the connection off.
  @discardableResult
  func move(to phase: Phase) -> Bool {
    let next = Progress(number: phase == .head ? current.number + 1 : current.number, phase: phase)
    guard
      shared.compareExchange(expected: current.rawValue, desired: next.rawValue, ordering: .acquiringAndReleasing)
        .exchanged
    else { return false }
    current = next
    return true
  }

  func noteReceived(_ count: Int) { bytes.store(count, ordering: .relaxed) }

  // MARK: - The monitor

  /// How many bytes of the body have been read.
  var received: Int { bytes.load(ordering: .relaxed) }

  var progress: Progress { Progress(rawValue: shared.load(ordering: .acquiring)) }

  /// Gives the connection up, unless it has made progress since `progress` was read.
  ///
  /// - Returns: whether the connection was given up.
  func cutOff(at progress: Progress) -> Bool {
    shared.compareExchange(
      expected: progress.rawValue, desired: Progress(number: progress.number, phase: .cutOff).rawValue,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  var isCutOff: Bool { progress.phase == .cutOff }
}
