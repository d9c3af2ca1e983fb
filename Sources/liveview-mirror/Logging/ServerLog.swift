internal import Logging
internal import MicroHTTP
internal import MirrorSupport

/// The log of the server. ``Serve`` makes it, and `Serve.serve` notes the settings, requests and
/// warnings. Copies share one limit of warnings.
struct ServerLog: Sendable {
  let logger: Logger
  /// Warnings about the variables, which are logged before the settings.
  private let warnings: [String]
  private let throttle = Guarded(LogThrottle())

  init(logger: Logger, warnings: [String] = []) { (self.logger, self.warnings) = (logger, warnings) }

  /// Logs a request, at the level debug. Neither the body nor the query is logged: the query may
  /// contain a token.
  func note(_ report: RequestReport) {
    logger.debug(
      "request",
      metadata: [
        "method": .string(report.method?.rawValue ?? "-"), "path": .string(report.path ?? "-"),
        "route": .string(report.route ?? "-"), "status": .stringConvertible(report.status.code),
        "ms": .string(Self.millisecondsText(report.duration)), "received": .stringConvertible(report.received),
        "sent": .stringConvertible(report.sent),
      ])
  }

  /// Logs a message of libmicrohttpd, or an error of a handler. Clients can cause these, so they
  /// are limited to ``LogThrottle/most`` a second.
  @Sendable func warn(_ text: String) {
    let step = throttle.withLock { $0.take(at: .now) }
    if step.leftOut > 0 {
      logger.warning(
        "more messages of the server were dropped", metadata: ["count": .stringConvertible(step.leftOut)])
    }
    guard step.isTaken else { return }
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    logger.warning("server message", metadata: ["text": .string(text)])
  }

  /// A duration in milliseconds with three decimal places, such as `0.042`.
  static func millisecondsText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1_000)
    return "\(microseconds / 1_000)." + String(repeating: "0", count: max(0, 3 - rest.count)) + rest
  }
}

/// Lets ``most`` messages pass in a second. ``ServerLog`` asks it for each warning.
struct LogThrottle {
  static let most = 10

  private var windowEnds: ContinuousClock.Instant?
  private var taken = 0
  private var leftOut = 0

  /// - Returns: whether this message may pass, and how many messages the previous period has
  ///   dropped. A period is the second that begins with its first message. The number is 0 for all
  ///   later messages of a period.
  mutating func take(at now: ContinuousClock.Instant) -> (isTaken: Bool, leftOut: Int) {
    var reported = 0
    if windowEnds.map({ now >= $0 }) ?? true {
      windowEnds = now.advanced(by: .seconds(1))
      reported = leftOut
      (taken, leftOut) = (0, 0)
    }
    guard taken < Self.most else {
      leftOut += 1
      return (false, reported)
    }
    taken += 1
    return (true, reported)
  }
}

extension ServerLog {
  /// Begins the log with the warnings, then a line for each setting with the source of its value,
  /// then the limits of memory.
  func note(_ settings: ServeSettings) {
    for warning in warnings { logger.warning("\(warning)") }
    for var shown in settings.shown {
      if shown.setting == SettingsTable.rows.publicFolder.setting, settings.publicFolder == nil {
        shown.value = PublicFolder.find()
      }
      logger.info(
        "setting",
        metadata: [
          "name": .string(shown.setting.name), "value": .string(shown.value), "from": .string("\(shown.source)"),
        ])
    }
    let memory = settings.memoryPlan.all(settings.limits)
    logger.info(
      "memory",
      metadata: Logger.Metadata(
        uniqueKeysWithValues: memory.map { ($0.name, "\($0.bytes >> 10) KiB") }
          + [("sum", "\(memory.reduce(0) { $0 + $1.bytes } >> 20) MiB")]))
  }
}
