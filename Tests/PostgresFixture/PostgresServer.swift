import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A PostgreSQL server of the tests, with its data in a temporary folder, on a free port of this
/// machine.
///
/// It ends with the process of the tests, also if that is killed: a shell waits for the end of its
/// standard input, ends the server by its process id, and removes the folder.
public final class PostgresServer: @unchecked Sendable {
  /// How a server is ended.
  public enum Stop: String, Sendable {
    /// Sessions are ended in an orderly way.
    case fast = "INT"
    /// As by a crash: the next start recovers from the log.
    case crash = "QUIT"
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Whether the tests with PostgreSQL are skipped: it is not installed, or
  /// `MIRROR_WITHOUT_POSTGRES` is set. With `MIRROR_STRICT`, as in CI, the tests run and fail
  /// without it.
  public static let isLeftOut: Bool = {
    let environment = ProcessInfo.processInfo.environment
    if environment["MIRROR_WITHOUT_POSTGRES"] != nil { return true }
    return environment["MIRROR_STRICT"] == nil && (try? findPrograms()) == nil
  }()

  /// Why the tests are skipped.
  public static let needed =
    ProcessInfo.processInfo.environment["MIRROR_WITHOUT_POSTGRES"] == nil
    ? "PostgreSQL 13 or later is not installed" : "MIRROR_WITHOUT_POSTGRES is set"

  /// The server of all tests that do not stop it.
  private static let shared = Result { try PostgresServer() }

  /// - Throws: if PostgreSQL is not installed, or does not start.
  public static func common() throws -> PostgresServer { try shared.get() }

  public let port: UInt16
  private let folder: String
  private let programs: String
  private var shell: Process?
  private var input: Pipe?

  /// Creates a server and starts it.
  public init() throws {
    programs = try Self.findPrograms()
    port = try Self.freePort()
    // Short, since the path of a socket is limited to 107 bytes, and reachable for another user.
    folder = "/tmp/mirror-postgres-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    if let user = Self.user { chown(folder, user.id, user.group) }
    try run([
      "\(programs)/initdb", "--pgdata", "\(folder)/data", "--username", "postgres", "--auth", "trust", "--encoding",
      "UTF8", "--no-locale", "--no-sync",
    ])
    // The first line that matches counts: `secret` needs a password.
    let rules = "host all secret 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\nlocal all all trust\n"
    try rules.write(toFile: "\(folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
    try start()
  }

  deinit {
    try? input?.fileHandleForWriting.close()
    // A server that was stopped has no shell that removes its folder.
    if input == nil { try? FileManager.default.removeItem(atPath: folder) }
  }

  // MARK: - Start and stop

  public func start() throws {
    let (shell, input) = (Process(), Pipe())
    let server =
      "\(programs)/postgres -D \(folder)/data -k \(folder) -p \(port) -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200"
    let command = Self.arguments([
      "/bin/sh", "-c",
      """
      exec 3<&0 >/dev/null 2>&1
      ( ( read -r signal <&3; kill -${signal:-INT} $$
          [ "$signal" ] || { n=0; while kill -0 $$ && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done; rm -rf \(folder); }
      ) & )
      exec \(server) </dev/null 3<&- >>\(folder)/log 2>&1
      """,
    ])
    shell.executableURL = URL(filePath: command[0])
    shell.arguments = Array(command.dropFirst())
    shell.currentDirectoryURL = URL(filePath: "/")
    shell.standardInput = input
    try shell.run()
    (self.shell, self.input) = (shell, input)
    let deadline = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < deadline {
      if (try? sql("SELECT 1")) != nil { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw Failure(
      description: "PostgreSQL does not start: \((try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "")"
    )
  }

  /// Ends the server, and returns when it has ended.
  public func stop(_ stop: Stop) throws {
    try input?.fileHandleForWriting.write(contentsOf: Data("\(stop.rawValue)\n".utf8))
    shell?.waitUntilExit()
    (shell, input) = (nil, nil)
  }

  // MARK: - Use

  public func url(_ database: String, user: String = "postgres") -> String {
    "postgres://\(user)@127.0.0.1:\(port)/\(database)"
  }

  /// Runs SQL with psql.
  ///
  /// - Returns: the rows, in lines.
  @discardableResult
  public func sql(_ text: String, in database: String = "postgres") throws -> String {
    try run(psql(text, in: database))
  }

  private func psql(_ text: String, in database: String) -> [String] {
    [
      "\(programs)/psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--host",
      "127.0.0.1", "--port", String(port), "--username", "postgres", "--dbname", database, "--command", text,
    ]
  }

  /// Starts SQL that executes `pg_sleep`, and waits until it does so, at most 60 seconds. The
  /// session ends with `text` or with the database.
  ///
  /// The program has no pipe, and starts before the call returns: one that starts on a thread of
  /// its own would inherit the pipes of a program that starts at that moment, whose output would
  /// then not end before the sleep.
  public func sleep(_ text: String, in database: String) throws {
    let (command, process) = (Self.arguments(psql(text, in: database)), Process())
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(filePath: "/")
    let nowhere = FileHandle.nullDevice
    (process.standardInput, process.standardOutput, process.standardError) = (nowhere, nowhere, nowhere)
    try process.run()
    let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND wait_event = 'PgSleep'"
    let deadline = ContinuousClock.now + .seconds(60)
    while try sql(sleeping) == "0\n" {
      guard process.isRunning, .now < deadline else {
        throw Failure(description: "the session does not sleep: \(text)")
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// A new database.
  public func database() throws -> String {
    let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
    try sql("CREATE DATABASE \(name)")
    return name
  }

  public func drop(_ database: String) { _ = try? sql("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

  // MARK: - Programs

  /// The user that runs the server: PostgreSQL refuses to run as root. `nil` if the tests are run
  /// by another user.
  private static let user: (name: String, id: uid_t, group: gid_t)? = {
    guard getuid() == 0 else { return nil }
    for name in ["postgres", "nobody"] {
      if let entry = getpwnam(name) { return (name, entry.pointee.pw_uid, entry.pointee.pw_gid) }
    }
    return nil
  }()

  private static func arguments(_ command: [String]) -> [String] {
    guard let user else { return command }
    return ["/usr/bin/setpriv", "--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups"] + command
  }

  @discardableResult
  private func run(_ command: [String]) throws -> String {
    let command = Self.arguments(command)
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(filePath: "/")
    (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, errors)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")): \(problem)")
    }
    return text
  }

  private static func findPrograms() throws -> String {
    let debian = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders =
      debian.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let all = ["initdb", "postgres", "psql"]
    for folder in folders
    where all.allSatisfy({ FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }) {
      return folder
    }
    throw Failure(
      description:
        "\(needed): script/setup tests installs it; MIRROR_WITHOUT_POSTGRES=1 skips its tests"
    )
  }

  /// A port below those that the system gives to clients: while the server is stopped, no other
  /// connection takes it.
  private static func freePort() throws -> UInt16 {
    for _ in 0..<100 {
      let port = UInt16.random(in: 20_000..<32_000)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = port.bigEndian
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isBound { return port }
    }
    throw Failure(description: "no free port")
  }
}
