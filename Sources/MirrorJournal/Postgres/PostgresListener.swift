internal import MirrorSupport

/// The connection that waits for notifications of other mirrors, and lets them know that this
/// mirror is connected. ``PostgresStore`` has one.
///
/// Only one thread calls ``wait(for:)``. Any thread may call ``close()`` and read ``isAlone``.
final class PostgresListener: Sendable {
  private struct State: Sendable {
    var connection: PostgresConnection?
    var nextHeartbeat = ContinuousClock.now
    var nextCleaning = ContinuousClock.now + PostgresListener.cleaning
    /// The last time when other mirrors were connected, or could not be counted.
    var lastCompany = ContinuousClock.now
    var lastHeartbeat = ContinuousClock.now
    var isClosed = false
  }

  private let address: PostgresAddress
  private let mirror: PostgresMirror
  private let state = Guarded(State())

  private static let heartbeat = Duration.seconds(1)
  private static let cleaning = Duration.seconds(60)
  /// The time without other mirrors after which this mirror counts as alone. After a restart of
  /// the server, for example, other mirrors connect again within this time.
  private static let absence = Duration.seconds(10)
  /// A wait is divided, so that it ends soon after ``close()``.
  private static let slice = Duration.milliseconds(200)
  /// The time until the next attempt to connect.
  private static let retry = Duration.milliseconds(500)

  init(_ address: PostgresAddress, _ mirror: PostgresMirror) { (self.address, self.mirror) = (address, mirror) }

  /// Whether no other mirror has been connected for the time ``absence``. `false` while the other
  /// mirrors cannot be counted. If `true`, ``PostgresStore`` sends no notifications.
  var isAlone: Bool {
    state.withLock { $0.lastCompany + Self.absence < .now && .now < $0.lastHeartbeat + Self.heartbeat * 3 }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }

  /// Waits for a notification of another mirror, at most for `time`.
  func wait(for time: Duration) {
    let deadline = ContinuousClock.now + time
    while .now < deadline, !state.withLock({ $0.isClosed }) {
      do throws(PostgresFailure) {
        guard let connection = try connected() else { return }
        try beat(connection)
        if try connection.notifications(within: min(Self.slice, deadline - .now)).contains(where: { $0 != mirror.id }) {
          return
        }
      } catch {
        state.withLock { ($0.connection, $0.lastCompany) = (nil, .now) }
        _ = state.wait(until: min(.now + Self.retry, deadline)) { $0.isClosed }
      }
    }
  }

  private func connected() throws(PostgresFailure) -> PostgresConnection? {
    let (connection, isClosed) = state.withLock { ($0.connection, $0.isClosed) }
    if isClosed { return nil }
    if let connection, !connection.isBroken { return connection }
    let next = try PostgresConnection(to: address)
    try next.run([
      // With keepalives, the server notices that the mirror's machine has disappeared, and releases
      // the locks.
      PostgresQuery("SET tcp_keepalives_idle = 10"), PostgresQuery("SET tcp_keepalives_interval = 5"),
      PostgresQuery("SET tcp_keepalives_count = 3"), PostgresQuery("LISTEN liveview_mirror"),
      // Keeps other mirrors from migrating the tables. `PostgresWriter` takes this lock too, but
      // after a lost connection it connects again only for the next write.
      PostgresQuery("SELECT pg_try_advisory_lock_shared($1::bigint)", .int(PostgresWriter.migration)),
      // By this lock, other mirrors count this one. The server holds the lock until the connection
      // ends, also if the mirror is killed.
      PostgresQuery(
        "SELECT pg_advisory_lock_shared($1::bigint::int, $2::bigint::int)", .int(Self.presence), .int(mirror.presence)),
    ])
    state.withLock { state in
      state.connection = state.isClosed ? nil : next
      // After an outage, other mirrors connect at about the same time, so this mirror does not
      // count as alone yet.
      state.lastCompany = .now
    }
    return next
  }

  private func beat(_ connection: PostgresConnection) throws(PostgresFailure) {
    guard state.withLock({ ContinuousClock.now >= $0.nextHeartbeat }) else { return }
    let results = try connection.run([
      PostgresQuery("UPDATE liveview_mirror.mirror SET seen_at = now() WHERE id = $1::text", .text(mirror.id)),
      Self.connected(beside: mirror),
    ])
    let others = results[1].int(0, 0)
    let isDirty = state.withLock { state in
      if others > 0 { state.lastCompany = .now }
      (state.lastHeartbeat, state.nextHeartbeat) = (.now, .now + Self.heartbeat)
      defer { if ContinuousClock.now >= state.nextCleaning { state.nextCleaning = .now + Self.cleaning } }
      return ContinuousClock.now >= state.nextCleaning
    }
    guard isDirty else { return }
    do throws(PostgresFailure) { try connection.run(PostgresSchema.cleaning.map { PostgresQuery($0) }) } catch {
      // What the server refuses now, for example after a deadlock, is tried again later.
      guard case .refused = error else { throw error }
    }
  }

  /// The first key of the locks of mirrors that are connected: `LVMm`. The second is
  /// ``PostgresMirror/presence``.
  private static let presence = 0x4C56_4D6D

  /// Counts the other mirrors that are connected now.
  static func connected(beside mirror: PostgresMirror) -> PostgresQuery {
    PostgresQuery(
      """
      SELECT count(DISTINCT objid) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = $1::bigint::oid AND objid <> $2::bigint::oid AND objsubid = 2 AND granted
      """, .int(presence), .int(mirror.presence))
  }
}
