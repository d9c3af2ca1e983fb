internal import Logging
internal import MicroHTTP

/// What the server has to say, as lines of the log.
struct ServerLog: Sendable {
  let logger: Logger
  private let throttle = Guarded(LogThrottle())

  init(logger: Logger) { self.logger = logger }

  /// One request, at debug: none of its body, and none of its query, which may hold a token.
  func note(_ report: RequestReport) {
    logger.debug(
      "request",
      metadata: [
        "method": .string(report.method?.rawValue ?? "-"), "path": .string(report.path ?? "-"),
        "route": .string(report.route ?? "-"), "status": .stringConvertible(report.status.code),
        "ms": .string(Self.milliseconds(report.duration)), "received": .stringConvertible(report.received),
        "sent": .stringConvertible(report.sent),
      ])
  }

  /// What libmicrohttpd complains about, and errors of handlers. Clients can cause them, so that there are only so many a
  /// second.
  @Sendable func warn(_ text: String) {
    let step = throttle.withLock { $0.take(at: .now) }
    if step.leftOut > 0 {
      logger.warning(
        "more of the server's messages were left out", metadata: ["count": .stringConvertible(step.leftOut)])
    }
    guard step.isTaken else { return }
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    logger.warning("server", metadata: ["says": .string(text)])
  }

  /// `0.042`: to the microsecond.
  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1_000)
    return "\(microseconds / 1_000)." + String(repeating: "0", count: max(0, 3 - rest.count)) + rest
  }
}

/// So many in a second, and no more.
struct LogThrottle {
  static let most = 10

  private var windowEnds: ContinuousClock.Instant?
  private var taken = 0
  private var leftOut = 0

  /// - Returns: whether this one may pass, and how many before it did not and were not told of yet.
  mutating func take(at now: ContinuousClock.Instant) -> (isTaken: Bool, leftOut: Int) {
    var told = 0
    if windowEnds.map({ now >= $0 }) ?? true {
      windowEnds = now.advanced(by: .seconds(1))
      told = leftOut
      (taken, leftOut) = (0, 0)
    }
    guard taken < Self.most else {
      leftOut += 1
      return (false, told)
    }
    taken += 1
    return (true, told)
  }
}

extension ServerLog {
  /// Every setting, a line each, with where its value came from.
  func note(_ settings: ServeSettings) {
    for shown in settings.shown {
      logger.info(
        "setting",
        metadata: [
          "name": .string(shown.setting.name), "value": .string(shown.value), "from": .string("\(shown.source)"),
        ])
    }
  }
}
