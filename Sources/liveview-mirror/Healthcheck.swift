import ArgumentParser

struct Healthcheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a mirror on this machine whether it answers.",
    discussion: """
      For a container's health check, where there is no curl: asks for /healthz and ends with 0 if that is answered with \
      200, else with 1. It needs no token.

      Without an option it asks where serve listens by the same environment: MIRROR_ADDRESS and MIRROR_PORT.
      """)

  @Option(help: "The address to ask; one that stands for all of the machine's is asked at loopback.")
  var address: String?

  @Option(help: "The port to ask.")
  var port: String?

  @Option(help: "How long to wait for the answer, such as 2s.")
  var timeout = "2s"

  func run() throws {
    let environment = Environment.read()
    func said(_ setting: Setting, _ typed: String?) -> String {
      let variable = environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
      return typed ?? variable ?? setting.defaultText ?? ""
    }
    let (address, port) = (said(.address, address), said(.port, port))
    guard let ip = IPAddress(address) else {
      throw complaint("\u{201C}\(address)\u{201D} \(SettingValue.address.hint)", code: .usage)
    }
    guard let number = SettingValue.port.read(port), number > 0 else {
      throw complaint("\u{201C}\(port)\u{201D} is no port to ask; write a number from 1 to 65535", code: .usage)
    }
    guard let patience = SettingValue.grace.read(timeout), patience > .zero else {
      throw complaint("\u{201C}\(timeout)\u{201D} \(SettingValue.grace.hint)", code: .usage)
    }
    do {
      let status = try HealthProbe(address: ip.reachable, port: number, timeout: patience).status()
      if status != 200 { throw complaint("/healthz is answered with \(status)", code: .failure) }
    } catch let failure as HealthProbe.Failure {
      throw complaint("\(failure)", code: .failure)
    }
  }
}

extension IPAddress {
  /// Where to reach whoever listens there.
  var reachable: IPAddress { isWildcard ? isIPv6 ? .loopback6 : .loopback4 : self }

  static let loopback4 = IPAddress(bytes: [127, 0, 0, 1])
  static let loopback6 = IPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1])
}
