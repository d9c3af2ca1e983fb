import ArgumentParser
import CommandSupport

/// `liveview-mirror healthcheck`: checks that a mirror on this machine answers `/healthz`. The
/// `Dockerfile` has it as the health check of the image. The command sends no token, because a
/// mirror answers `/healthz` without one.
struct Healthcheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check whether a mirror on this machine responds.",
    discussion: """
      For a container's health check, in images without curl: requests /healthz and exits with 0 if the answer is 200, \
      else with 1. It needs no token.

      Without options it asks the address and the port of the variables MIRROR_ADDRESS and MIRROR_PORT, as serve does.
      """)

  @Option(help: "The address to check. A wildcard address (0.0.0.0, ::) is checked at loopback.")
  var address: String?

  @Option(help: "The port to check.")
  var port: String?

  @Option(help: "How long to wait for the response, such as 2s.")
  var timeout = "2s"

  /// The address and the port, from the flags or otherwise from the variables, and the timeout.
  private func target() throws -> (ip: IPAddress, port: UInt16, patience: Duration) {
    let environment = Environment.read()
    let rows = SettingsTable.rows
    func text(_ setting: Setting, _ typed: String?) -> (value: String, source: String) {
      if let typed { return (typed, setting.flag) }
      let variable = environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
      return (variable ?? setting.defaultText ?? "", setting.variable)
    }
    let (address, port) = (text(rows.address.setting, address), text(rows.port.setting, port))
    guard let ip = IPAddress(address.value) else {
      throw invalid(address.source, address.value, rows.address.kind.expectation)
    }
    guard let number = rows.port.kind.read(port.value), number > 0 else {
      throw invalid(port.source, port.value, "must be a port from 1 to 65535")
    }
    guard let patience = rows.grace.kind.read(timeout), patience > .zero else {
      throw invalid("--timeout", timeout, rows.grace.kind.expectation)
    }
    return (ip, number, patience)
  }

  func validate() throws { _ = try target() }

  func run() throws {
    let (ip, number, patience) = try target()
    let reachable = ip.reachable
    // The `Host` header. Whatever its address, the server accepts a loopback host (see
    // `HostCheck`).
    let host = reachable.isIPv6 ? "[::1]:\(number)" : "127.0.0.1:\(number)"
    let client = MirrorClient(
      address: MirrorAddress(host: "\(reachable)", port: number), host: host, timeout: patience)
    let response: MirrorResponse
    do throws(MirrorClientError) { response = try client.get("/healthz") } catch {
      throw loggedError("\(error)", code: .failure)
    }
    if response.status != 200 {
      throw loggedError("the response of /healthz has the status \(response.status)", code: .failure)
    }
  }
}

extension IPAddress {
  /// The address at which a server that listens on this address can be reached.
  var reachable: IPAddress { isWildcard ? isIPv6 ? .loopback6 : .loopback4 : self }

  static let loopback4 = IPAddress(bytes: [127, 0, 0, 1])
  static let loopback6 = IPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1])
}
