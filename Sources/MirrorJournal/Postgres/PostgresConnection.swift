internal import CLibrary
internal import CPostgres

/// A connection in libpq's pipeline mode: the statements of a call are sent together, and take one
/// round trip.
///
/// ``PostgresWriter`` and ``PostgresListener`` have one each, and ``PostgresReaders`` has up to
/// four.
///
/// Not thread-safe: the owner of a connection lets one thread use it at a time. A broken connection
/// stays broken, so the owner then makes another one.
final class PostgresConnection: @unchecked Sendable {
  private let connection: OpaquePointer
  /// The names of the statements that the server has prepared, by their text.
  private var prepared: [String: String] = [:]
  private(set) var isBroken = false

  /// A connection that makes no progress for this time is given up.
  private static let patience = Duration.seconds(30)

  /// Connects.
  ///
  /// - Throws: `unreachable` or `unsuitable`.
  init(to address: PostgresAddress) throws(PostgresFailure) {
    if let reason = postgres_open() {
      throw .unsuitable(
        "PostgreSQL's client library cannot be opened: \(String(cString: reason)). Install it: apt-get install libpq5, or "
          + "brew install libpq")
    }
    var options: [(String, String)] = [("fallback_application_name", "liveview-mirror")]
    // Defaults of the mirror. `PGCONNECT_TIMEOUT` replaces the first one, and parameters of the
    // URL, which comes later in the list, replace all of them.
    if getenv("PGCONNECT_TIMEOUT") == nil { options.append(("connect_timeout", "5")) }
    options += [
      // Detect a server that has disappeared. The first is in milliseconds, the next two are in
      // seconds.
      ("tcp_user_timeout", "15000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("dbname", address.url), ("client_encoding", "UTF8"),
    ]
    guard let connection = Self.connect(options) else { throw .unreachable("out of memory") }
    self.connection = connection
    guard PQstatus(connection) == CONNECTION_OK else { throw .unreachable(message) }
    postgres_ignore_notices(connection)
    guard PQserverVersion(connection) >= 130_000 else {
      throw .unsuitable("the server is older than PostgreSQL 13: use a newer one")
    }
    guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
      throw .unreachable(message)
    }
  }

  deinit { PQfinish(connection) }

  private static func connect(_ options: [(String, String)]) -> OpaquePointer? {
    let texts = options.map { (strdup($0), strdup($1)) }
    defer {
      for (name, value) in texts {
        free(name)
        free(value)
      }
    }
    let names = texts.map { UnsafePointer($0.0) } + [nil]
    let values = texts.map { UnsafePointer($0.1) } + [nil]
    return PQconnectdbParams(names, values, 1)
  }

  /// The process of the server that serves this connection.
  var backend: Int { Int(PQbackendPID(connection)) }

  private var message: String { String(cString: PQerrorMessage(connection)) }

  // MARK: - Running

  /// Runs statements in one round trip. After an error, the following statements are skipped, and
  /// the transaction is rolled back.
  ///
  /// - Throws: `refused` for the first statement that the server refuses; `lost` if the connection
  ///   breaks before the result of the last statement was received.
  @discardableResult
  func run(_ queries: [PostgresQuery]) throws(PostgresFailure) -> [PostgresResult] {
    if isBroken { throw .lost("it was broken before", isSent: false) }
    let named = try send(queries)
    var results: [PostgresResult] = []
    var refusal: PostgresFailure?
    for (number, query) in queries.enumerated() {
      if let name = named[number] {
        // The first result is that of the statement's preparation.
        switch try outcome() {
        case .success: prepared[query.sql] = name
        case .failure(let failure): refusal = refusal ?? failure
        }
      }
      switch try outcome() {
      case .success(let result): results.append(result)
      case .failure(let failure): refusal = refusal ?? failure
      }
    }
    do throws(PostgresFailure) {
      // The last statement was answered, so its result is certain, also if the connection breaks
      // now.
      if let end = try next() {
        if PQresultStatus(end) != PGRES_PIPELINE_SYNC { isBroken = true }
        PQclear(end)
      }
    } catch {
      if let refusal { throw refusal }
      return results
    }
    guard let refusal else { return results }
    if PQtransactionStatus(connection) == PQTRANS_INERROR { try run([PostgresQuery("ROLLBACK")]) }
    throw refusal
  }

  /// Sends statements, each after its preparation if it is new.
  ///
  /// - Returns: the names of the statements that are being prepared, by the position of their first
  ///   use.
  private func send(_ queries: [PostgresQuery]) throws(PostgresFailure) -> [Int: String] {
    var named: [Int: String] = [:]
    var names = prepared
    for (number, query) in queries.enumerated() {
      let name = names[query.sql] ?? "s\(names.count)"
      if names.updateValue(name, forKey: query.sql) == nil {
        named[number] = name
        guard PQsendPrepare(connection, name, query.sql, 0, nil) == 1 else { throw broken(isSent: false) }
      }
      guard send(query, as: name) else { throw broken(isSent: false) }
    }
    guard PQpipelineSync(connection) == 1 else { throw broken(isSent: false) }
    while true {
      let state = PQflush(connection)
      if state == 0 { return named }
      guard state == 1, waits(for: POLLIN | POLLOUT) else { throw broken(isSent: false) }
      // The server may stop reading statements until the client reads its results.
      guard PQconsumeInput(connection) == 1 else { throw broken(isSent: false) }
    }
  }

  private func send(_ query: PostgresQuery, as name: String) -> Bool {
    var bytes: [UInt8] = []
    var places: [(start: Int, length: Int)] = []
    for value in query.parameters {
      let start = bytes.count
      value.write(to: &bytes)
      places.append((start, bytes.count - start))
    }
    // libpq sends NULL for a null pointer. With this byte, the buffer has an address even if all
    // values are empty.
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      let values = places.map { buffer.baseAddress?.advanced(by: $0.start).assumingMemoryBound(to: CChar.self) }
      let lengths = places.map { Int32($0.length) }
      let formats = places.map { _ in Int32(1) }
      return PQsendQueryPrepared(connection, name, Int32(places.count), values, lengths, formats, 1) == 1
    }
  }

  // MARK: - Notifications

  /// The payloads of notifications that have arrived, or arrive within a time. Returns as soon as
  /// there is one.
  func notifications(within time: Duration) throws(PostgresFailure) -> [String] {
    let deadline = ContinuousClock.now + time
    while true {
      guard PQconsumeInput(connection) == 1 else { throw broken(isSent: true) }
      var payloads: [String] = []
      while let notification = PQnotifies(connection) {
        payloads.append(String(cString: notification.pointee.extra))
        PQfreemem(notification)
      }
      let left = deadline - .now
      if !payloads.isEmpty || left <= .zero { return payloads }
      var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
      let milliseconds = left / .milliseconds(1)
      if poll(&socket, 1, Int32(min(max(milliseconds, 1), 1_000))) < 0, errno != EINTR { throw broken(isSent: true) }
    }
  }

  // MARK: - Receiving

  /// The result of the next statement.
  private func outcome() throws(PostgresFailure) -> Result<PostgresResult, PostgresFailure> {
    guard let result = try next() else { throw broken(isSent: true) }
    let owner = PostgresResult(result)
    // NULL ends the results of a statement.
    while let more = try next() { PQclear(more) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return .success(owner)
    default:
      let code = postgres_error_code(result).map { String(cString: $0) } ?? ""
      let message = postgres_error_message(result).map { String(cString: $0) } ?? self.message
      // Class 57P: the server ends the connection. Whether a COMMIT was reached before is not
      // certain.
      if PQstatus(connection) == CONNECTION_BAD || code.hasPrefix("57P") || code.isEmpty && isBroken {
        isBroken = true
        throw .lost(message, isSent: true)
      }
      return .failure(.refused(code: code, message: message))
    }
  }

  private func next() throws(PostgresFailure) -> OpaquePointer? {
    while PQisBusy(connection) == 1 {
      guard waits(for: POLLIN) else { throw broken("the server does not answer", isSent: true) }
      // After a failure, libpq still returns what the server has sent, such as the reason.
      if PQconsumeInput(connection) == 0, PQisBusy(connection) == 1 { throw broken(isSent: true) }
    }
    return PQgetResult(connection)
  }

  /// Waits until the socket can be read or written.
  ///
  /// - Returns: `false` if the time ``patience`` has passed, or if `poll` fails.
  private func waits(for events: Int32) -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      var socket = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
      let count = poll(&socket, 1, 1_000)
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
      if ContinuousClock.now > deadline { return false }
    }
  }

  private func broken(_ reason: String? = nil, isSent: Bool) -> PostgresFailure {
    isBroken = true
    return .lost(reason ?? message, isSent: isSent)
  }
}
