internal import MirrorSupport

/// The connections for reading, at most four. A connection is made when no other is idle, and only
/// one thread uses it at a time. ``PostgresStore`` reads and sends messages through them, on any
/// thread.
final class PostgresReaders: Sendable {
  private struct State: Sendable {
    var idle: [PostgresConnection] = []
    /// The number of idle and borrowed connections, at most ``most``.
    var count = 0
    var isClosed = false
    /// The last failure to connect. Until the time `until`, no further attempt is made, so that
    /// many readers do not each wait for a server that cannot be reached.
    var failure: (error: PostgresFailure, until: ContinuousClock.Instant)?
  }

  private let address: PostgresAddress
  private let state = Guarded(State())

  private static let most = 4
  /// How many times statements are run at most, if the connection breaks each time.
  private static let attempts = 5

  init(_ address: PostgresAddress) { self.address = address }

  func close() {
    state.change { state in
      state.isClosed = true
      state.count -= state.idle.count
      state.idle = []
    }
  }

  /// Reads in one transaction, so that all statements see the same state.
  ///
  /// - Parameter isWriting: whether the statements write. The statements are run again after a lost
  ///   connection, so running them twice must have the same effect as running them once.
  func read(_ queries: [PostgresQuery], isWriting: Bool = false) throws(PostgresFailure) -> [PostgresResult] {
    let begin = isWriting ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    return Array(try run([PostgresQuery(begin)] + queries + [PostgresQuery("COMMIT")]).dropFirst().dropLast())
  }

  /// Reads by one statement.
  func readOne(_ query: PostgresQuery) throws(PostgresFailure) -> PostgresResult { try run([query])[0] }

  private func run(_ all: [PostgresQuery]) throws(PostgresFailure) -> [PostgresResult] {
    let connection = try borrowConnection()
    defer { returnConnection(connection.value) }
    var attempt = 1
    while true {
      do throws(PostgresFailure) { return try connection.value.run(all) } catch {
        guard case .lost = error, attempt < Self.attempts else { throw error }
      }
      attempt += 1
      // If the server was restarted, for example, the idle connections are broken, too.
      state.change { state in
        state.count -= state.idle.count
        state.idle = []
      }
      connection.value = try connect()
    }
  }

  /// A borrowed connection. `run` replaces it if it breaks.
  private final class Loan {
    var value: PostgresConnection

    init(_ value: PostgresConnection) { self.value = value }
  }

  private func borrowConnection() throws(PostgresFailure) -> Loan {
    var idle: PostgresConnection?
    var isClosed = false
    while !state.wait(
      until: .now + .seconds(60),
      for: { state in
        isClosed = state.isClosed
        idle = state.idle.popLast()
        if idle != nil || isClosed { return true }
        guard state.count < Self.most else { return false }
        state.count += 1
        return true
      })
    {}
    if isClosed { throw .closed }
    if let idle { return Loan(idle) }
    do throws(PostgresFailure) { return Loan(try connect()) } catch {
      state.change { $0.count -= 1 }
      throw error
    }
  }

  private func returnConnection(_ connection: PostgresConnection) {
    state.change { state in
      if connection.isBroken || state.isClosed { state.count -= 1 } else { state.idle.append(connection) }
    }
  }

  private func connect() throws(PostgresFailure) -> PostgresConnection {
    if let failure = state.withLock({ $0.failure }), .now < failure.until { throw failure.error }
    do throws(PostgresFailure) {
      let connection = try PostgresConnection(to: address)
      state.withLock { $0.failure = nil }
      return connection
    } catch {
      state.withLock { $0.failure = (error, .now + .milliseconds(500)) }
      throw error
    }
  }
}
