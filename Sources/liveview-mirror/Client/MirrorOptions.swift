internal import ArgumentParser
internal import CommandSupport

/// How a command reaches a running mirror. ``PushEvent`` has these options.
struct MirrorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The address of the mirror, such as http://localhost:8080. By default it is that of MIRROR_ADDRESS and MIRROR_PORT, as serve \
      uses them.
      """, valueName: "url"))
  var mirror: String?

  @OptionGroup var access: TokenOptions

  /// - Parameter timeout: the limit for connecting, and for each wait in which nothing is sent or
  ///   received.
  /// - Throws: the exit code, after a message about what is wrong.
  func client(timeout: Duration) throws -> MirrorClient {
    let settings = try access.settings()
    return MirrorClient(address: try address(settings), token: settings.token, timeout: timeout)
  }

  private func address(_ settings: ServeSettings) throws -> MirrorAddress {
    if let mirror { return try MirrorAddress(flag: mirror) }
    guard settings.port > 0 else {
      throw loggedError(
        "MIRROR_PORT is 0, so the port of the mirror is not known: name its address with --mirror", code: .usage)
    }
    let isWildcard = IPAddress(settings.address)?.isWildcard == true
    return MirrorAddress(host: isWildcard ? "localhost" : settings.address, port: settings.port)
  }
}

extension MirrorAddress {
  /// - Parameter flag: the value of `--mirror`.
  /// - Throws: the exit code, after a message about what is wrong.
  init(flag: String) throws {
    do throws(Failure) { self = try MirrorAddress(flag) } catch {
      throw loggedError("--mirror: \u{201C}\(flag)\u{201D} \(error)", code: .usage)
    }
  }
}

extension TokenOptions {
  /// The settings of the mirror that a command reaches: the token of these options, and the
  /// variables.
  func settings() throws -> ServeSettings {
    try ServeSettings.ofMirror(token: token, tokenFile: tokenFile, environment: Environment.read())
  }
}

extension ServeSettings {
  /// The address, port and token of a mirror that other commands reach, read as `serve` reads them.
  /// The other settings are ignored.
  ///
  /// - Throws: the exit code, after a message for each setting that is wrong.
  static func ofMirror(token: String?, tokenFile: String?, environment: [String: String]) throws -> ServeSettings {
    let rows = SettingsTable.rows
    let variables = [rows.address.setting, rows.port.setting, rows.token.setting, rows.tokenFile.setting].map(
      \.variable)
    do throws(SettingsError) {
      return try ServeSettings(
        flag: { setting in
          switch setting {
          case rows.token.setting: token
          case rows.tokenFile.setting: tokenFile
          // Only `serve` refuses an address that other machines can reach if there is no token.
          case rows.insecure.setting: "true"
          default: nil
          }
        }, environment: environment.filter { variables.contains($0.key) }, file: Input.bytes(of:))
    } catch {
      for problem in error.problems { Output.error(problem) }
      throw ExitCode.usage
    }
  }
}
