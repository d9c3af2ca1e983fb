internal import ArgumentParser
internal import LiveViewClient

/// The program that `liveview-mirror attach` starts.
@main
struct AttachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "liveview-mirror attach",
    abstract: "Join the LiveViews of a page without a browser, and mirror them.",
    discussion: """
      Loads each URL, joins every LiveView in it as LiveView's client does (1.0, 1.1 and 1.2), and feeds a mirror. Events that \
      are sent with POST /views/{view}/push are sent on its socket.

      Without --mirror it starts a mirror of its own, "liveview-mirror serve", which ends with it. The variables of serve \
      (MIRROR_PORT and so on) set it up.

      Ctrl-C or SIGTERM leaves the views and ends it.

      Exit codes: 0 ended by a signal, by --once or by --for; 64 wrong usage; 65 the page has no LiveView; 66 the page cannot be \
      loaded; 69 the server or the mirror cannot be reached; 76 the server does not speak the channel protocol 2.0.0; 77 the \
      session is stale, or the join is refused.
      """)

  @Argument(help: "The pages.")
  var urls: [String]

  @Option(help: "The address of a running mirror, such as http://localhost:8080.")
  var mirror: String?

  @Option(help: "The mirror's token. MIRROR_TOKEN is the variable for it.")
  var token: String?

  @Option(help: "A file with the mirror's token. MIRROR_TOKEN_FILE is the variable for it.")
  var tokenFile: String?

  @Option(help: "A header of every request to the page's host: \"Name: value\". May be repeated.")
  var header: [String] = []

  @Option(help: "A cookie of every request to the page's host: name=value. May be repeated.")
  var cookie: [String] = []

  @Flag(help: "Accept certificates that no known authority has signed.")
  var insecureTls = false

  @Option(help: "A format of LiveView Native, such as swiftui. The markup is then native.")
  var format: String?

  @Option(help: "The path of the LiveView socket. By default that of the page, or /live.")
  var socketPath: String?

  @Flag(help: "End as soon as every view is joined and the mirror has its page.")
  var once = false

  @Option(name: .customLong("for"), help: "End after this time, such as 30s.")
  var time: String?

  @Option(help: "End with 69 if a server cannot be reached for this time, such as 1m. By default it is tried for ever.")
  var giveUp: String?

  @Option(help: "The port of a mirror of its own; 0 for a free one. MIRROR_PORT is the variable for it.")
  var port: String?

  func run() async throws {
    let settings: AttachSettings
    do throws(AttachSettings.Problem) { settings = try AttachSettings(self) } catch {
      Console.note(error.text)
      throw ExitCode.usage
    }
    Signals.ignoreClosedPipes()
    let own = settings.mirror == nil ? try OwnMirror.start(settings.serve) : nil
    defer { own?.stop() }
    guard let address = settings.mirror ?? own.flatMap({ WebAddress($0.address) }) else { throw ExitCode.unavailable }
    if own != nil { Console.line("the mirror is at \(address.origin)") }
    let attachments = urls.map { url in
      Attachment(
        url, to: MirrorConnection(address, token: settings.token, acceptsAnyCertificate: insecureTls),
        options: settings.options, plan: settings.plan)
    }
    let code = await follow(attachments, for: settings.time)
    // The own mirror is stopped by `defer`, before the exit.
    if code != .success { throw code }
  }

  /// Follows all pages until they have ended, a signal arrives, or the time is over.
  ///
  /// - Returns: the first exit code that is not 0.
  private func follow(_ attachments: [Attachment], for time: Duration?) async -> ExitCode {
    await withTaskGroup(of: ExitCode?.self) { group in
      for attachment in attachments { group.addTask { await attachment.run() } }
      group.addTask {
        await Signals.wait(atMost: time)
        if !Task.isCancelled { for attachment in attachments { await attachment.stop() } }
        return nil
      }
      var (running, code) = (attachments.count, ExitCode.success)
      for await result in group {
        guard let result else { continue }
        running -= 1
        if code == .success { code = result }
        if running == 0 { group.cancelAll() }
      }
      return code
    }
  }
}
