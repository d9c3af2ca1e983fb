internal import ArgumentParser
internal import LiveViewClient

/// The program `liveview-mirror-attach`, which `liveview-mirror attach` executes.
@main
struct AttachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "liveview-mirror attach",
    abstract: "Join the LiveViews of a page without a browser, and mirror them.",
    discussion: """
      Loads each page, joins every LiveView in it as LiveView's client does (1.0, 1.1 and 1.2), and sends the frames to a mirror. \
      Events of POST /views/{view}/push are sent to the LiveView.

      With --mirror, the pages are added to a running mirror. Without it, the program starts a mirror, "liveview-mirror serve", \
      and ends it at its own end. The settings of that mirror are the variables of serve, such as MIRROR_PORT.

      Standard output has the address of each page's main view, as soon as the mirror has the page. With --once and without \
      --mirror, nothing is left to open at the end, so it has a summary of each page instead, such as
      http://localhost:4000/: 2 views joined, 9 frames mirrored

      Ctrl-C or SIGTERM leaves the views and ends the program. A second signal ends it at once.

      Exit codes: 0 ended by a signal, by --once or by --for; 1 a step of --steps has failed; 64 wrong usage; 65 the page has no LiveView; 66 the page cannot be \
      loaded; 69 the server or the mirror cannot be reached, or the mirror of this program has ended; 76 the server does not speak \
      the channel protocol 2.0.0; 77 the session is stale, the join is refused, the mirror needs a token, or it refuses the page \
      or, with --once, a frame. With several pages, the first failure decides.
      """)

  @Argument(help: ArgumentHelp("The pages, such as http://localhost:4000/.", valueName: "url"))
  var urls: [String]

  @Option(help: ArgumentHelp("The address of a running mirror, such as http://localhost:8080.", valueName: "url"))
  var mirror: String?

  @Option(help: ArgumentHelp("The token of the mirror [MIRROR_TOKEN].", valueName: "token"))
  var token: String?

  @Option(help: ArgumentHelp("A file that holds the token [MIRROR_TOKEN_FILE].", valueName: "file"))
  var tokenFile: String?

  @Option(
    help: ArgumentHelp("A header of each request to the page's host. May be repeated.", valueName: "name: value"))
  var header: [String] = []

  @Option(help: ArgumentHelp("A cookie of each request to the page's host. May be repeated.", valueName: "name=value"))
  var cookie: [String] = []

  @Flag(help: "Accept certificates that no known authority has signed.")
  var insecureTls = false

  @Option(
    help: ArgumentHelp("Request the markup of LiveView Native in this format, such as swiftui.", valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "The path of the LiveView socket. By default it is the one that the page names, or /live.", valueName: "path"))
  var socketPath: String?

  @Flag(help: "End as soon as every view is joined and the mirror has its page, for CI.")
  var once = false

  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time, such as 30s.", valueName: "time"))
  var time: String?

  @Option(
    help: ArgumentHelp(
      "End with exit code 69 if no view of a page could be joined for this time, such as 1m. After the first join, it never gives up by default.",
      valueName: "time"))
  var giveUp: String?

  @Option(
    help: ArgumentHelp(
      "The port of the mirror that is started without --mirror; 0 for a free one [MIRROR_PORT].", valueName: "port"))
  var port: String?

  @Option(
    help: ArgumentHelp(
      "Run the steps of this file on one page without a mirror, and end. \"liveview-mirror check --attach\" does so.",
      valueName: "file"))
  var steps: String?

  @Option(
    help: ArgumentHelp("With --steps, write the frames into this file; - for standard output.", valueName: "file"))
  var record: String?

  func run() async throws {
    let settings: AttachSettings
    do throws(AttachSettings.Problem) { settings = try AttachSettings(self) } catch {
      Console.note(error.text)
      throw ExitCode.usage
    }
    if let steps { return try await runScenario(steps, settings) }
    // Before the mirror starts: a signal that ended this program would leave the mirror behind.
    guard let signals = Signals.install() else {
      Console.note("cannot catch signals: the process has no free file descriptor; raise its limit (ulimit -n)")
      throw ExitCode.unavailable
    }
    let own = settings.mirror == nil ? try OwnMirror.start(settings.serve) : nil
    let code: ExitCode
    do throws(ExitCode) {
      let address = if let mirror = settings.mirror { mirror } else { try await address(of: own, signals) }
      code = await follow(settings, at: address, own, signals)
    } catch { code = error }
    await own?.stop()
    if code != .success { throw code }
  }

  /// Runs the steps of a file, and writes the recording if all of them succeed.
  private func runScenario(_ file: String, _ settings: AttachSettings) async throws {
    let scenario = ScenarioRun(
      url: urls[0], file: file, steps: try ScenarioFile.read(file), options: settings.options)
    let recording = try await scenario.run()
    if let record { try ScenarioFile.write(recording, to: record) }
  }

  /// Waits until a mirror of this program listens, and prints its address.
  ///
  /// - Throws: the exit code, if a signal arrives or the mirror ends, which has printed the reason.
  private func address(of own: OwnMirror?, _ signals: Signals) async throws(ExitCode) -> WebAddress {
    guard let own else { throw .unavailable }
    signals.beforeForcedEnd { own.terminate() }
    let stopping = Task { if await signals.first.wait() != nil { own.terminate() } }
    let address = await own.address()
    stopping.cancel()
    if signals.first.value != nil { throw .success }
    guard let address, let address = WebAddress(address) else {
      own.terminate()
      throw await own.termination.wait()?.code ?? .unavailable
    }
    // With --once, the mirror ends before a person could open it.
    if !once { Console.line("the mirror is at \(address.origin)") }
    return address
  }

  /// Follows all pages until they have ended, a signal arrives, the time is over, or the mirror of this program has ended.
  ///
  /// - Returns: the first exit code that is not 0.
  private func follow(
    _ settings: AttachSettings, at address: WebAddress, _ own: OwnMirror?, _ signals: Signals
  ) async -> ExitCode {
    let attachments = urls.map { url in
      Attachment(
        url, to: MirrorConnection(address, token: settings.token, acceptsAnyCertificate: insecureTls),
        options: settings.options, plan: settings.plan)
    }
    return await withTaskGroup(of: ExitCode?.self) { group in
      for attachment in attachments { group.addTask { await attachment.run() } }
      group.addTask {
        _ = await signals.first.wait(atMost: settings.time)
        if !Task.isCancelled { for attachment in attachments { await attachment.stop() } }
        return nil
      }
      if let own {
        group.addTask {
          guard let termination = await own.termination.wait() else { return nil }
          // A terminal's Ctrl-C reaches both programs, and the mirror may end before the signal is noticed here.
          if await signals.first.wait(atMost: .milliseconds(500)) != nil || Task.isCancelled { return nil }
          Console.note(
            "the mirror of this program has ended with \(termination), and its views are lost; start the program again, or use "
              + "a mirror that runs by itself: liveview-mirror serve, and --mirror with its address")
          for attachment in attachments { await attachment.stop(with: .unavailable) }
          return nil
        }
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
