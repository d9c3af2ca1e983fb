internal import MirrorSupport

/// The connection that waits for notifications of other mirrors, and lets them know that this mirror is connected.
///
/// Used by one thread.
final class PostgresListener: Sendable {
  private struct State: Sendable {
    var connection: PostgresConnection?
    var nextHeartbeat = ContinuousClock.now
    /// The number of other mirrors, as the last heartbeat has found it.
    var others = 0
    var isClosed = false
  }

  private let address: PostgresAddress
  private let mirror: PostgresMirror
  private let state = Guarded(State())

  private static let heartbeat = Duration.seconds(1)
  /// A wait is divided, so that it ends soon after ``close()``.
  private static let slice = Duration.milliseconds(200)
  /// The time until the next attempt to connect.
  private static let retry = Duration.milliseconds(500)

  init(_ address: PostgresAddress, _ mirror: PostgresMirror) { (self.address, self.mirror) = (address, mirror) }

  /// The number of other mirrors a second ago.
  var others: Int { state.withLock { $0.others } }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }

  /// Waits for a notification of another mirror.
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
        state.withLock { $0.connection = nil }
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
      PostgresQuery("LISTEN liveview_mirror"),
      // Held by the server until this connection ends, also if the mirror is killed.
      PostgresQuery(
        "SELECT pg_advisory_lock_shared($1::bigint::int, $2::bigint::int)", .int(Self.presence), .int(mirror.presence)),
    ])
    state.withLock { $0.connection = $0.isClosed ? nil : next }
    return next
  }

  private func beat(_ connection: PostgresConnection) throws(PostgresFailure) {
    guard state.withLock({ ContinuousClock.now >= $0.nextHeartbeat }) else { return }
    let results = try connection.run([
      PostgresQuery("UPDATE liveview_mirror.mirror SET seen_at = now() WHERE id = $1::text", .text(mirror.id)),
      PostgresQuery(Self.count, .text(mirror.id)),
      PostgresQuery("DELETE FROM liveview_mirror.message WHERE at < now() - interval '1 minute'"),
    ])
    let others = results[1].int(0, 0)
    state.withLock { state in
      state.others = others
      state.nextHeartbeat = .now + Self.heartbeat
    }
  }

  /// The first key of the locks of mirrors that are connected: `LVMm`. The second is ``PostgresMirror/presence``.
  static let presence = 0x4C56_4D6D

  /// Counts the other mirrors that are connected now.
  static let connected = """
    SELECT count(DISTINCT objid) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = $1::bigint::oid AND objid <> $2::bigint::oid AND objsubid = 2 AND granted
    """

  /// Counts the other mirrors that were connected within the last seconds.
  static let count = """
    SELECT count(*) FROM liveview_mirror.mirror WHERE id <> $1::text AND seen_at > now() - interval '5 seconds'
    """
}
