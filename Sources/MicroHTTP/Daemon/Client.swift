internal import Synchronization

/// One connection: what the daemon's thread that has it, and the watch, know of it.
///
/// There is no lock in it, since every request would take it several times. The daemon's thread alone touches the exchange;
/// how far that is, it says in one number, which the watch reads, and replaces to cut the connection off: whichever of the
/// two is later sees what the other one did.
final class Client: @unchecked Sendable {
  enum Phase: UInt64 {
    /// Between requests, or in the first line of one.
    case idle
    case head
    case body
    /// The handler has it, or is going to.
    case answering
    /// The answer is on its way.
    case sending
    case streaming
    /// Given up by the watch.
    case cutOff
  }

  /// Which request of the connection, and how far it is.
  struct Progress: Hashable {
    fileprivate(set) var rawValue: UInt64 = 0

    var phase: Phase { Phase(rawValue: rawValue & 7) ?? .idle }
    var number: UInt64 { rawValue >> 3 }

    init(number: UInt64 = 0, phase: Phase = .idle) { rawValue = number << 3 | phase.rawValue }

    fileprivate init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  let descriptor: Int32
  /// Its requests. Only for the daemon's thread.
  @exclusivity(unchecked) var exchange: Exchange
  /// Its request, complete, while that waits for its ``Round``. Only for the daemon's thread.
  @exclusivity(unchecked) var waiting: HTTPRequest?
  /// Its request, where a worker answers it. Only for the daemon's thread.
  @exclusivity(unchecked) var job: Job?
  /// The resource of its request, where that waits to be given to a worker. Only for the daemon's thread.
  @exclusivity(unchecked) var workerKey: String?
  /// How often it may be held back by its ``Round`` yet. Only for the daemon's thread.
  @exclusivity(unchecked) var patience = 0
  /// In which pass the daemon last asked for its answer. Only for the daemon's thread.
  @exclusivity(unchecked) var pass: Round.Pass = 0
  /// What is on its way to it, where it can go out again. Only for the daemon's thread.
  @exclusivity(unchecked) var answer: SentAnswer?
  private let shared = Atomic<UInt64>(0)
  private let bytes = Atomic<Int>(0)
  /// The daemon's own copy.
  @exclusivity(unchecked) private var current = Progress()

  init(descriptor: Int32, limits: BodyLimits) {
    self.descriptor = descriptor
    exchange = Exchange(limits: limits)
  }

  // MARK: - The daemon

  /// - Returns: false when the watch has cut the connection off.
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

  // MARK: - The watch

  /// How many bytes of the body have been read.
  var received: Int { bytes.load(ordering: .relaxed) }

  var progress: Progress { Progress(rawValue: shared.load(ordering: .acquiring)) }

  /// Gives the connection up, unless it has moved on from there.
  func cutOff(at progress: Progress) -> Bool {
    shared.compareExchange(
      expected: progress.rawValue, desired: Progress(number: progress.number, phase: .cutOff).rawValue,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  var isCutOff: Bool { progress.phase == .cutOff }
}
