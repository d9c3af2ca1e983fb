internal import ArgumentParser
internal import CommandSupport
internal import LiveViewClient

/// The program `liveview-mirror-attach`, which `liveview-mirror attach` executes.
@main
struct AttachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "liveview-mirror attach",
    abstract: AttachOptions.abstract,
    discussion: AttachOptions.discussion)

  @OptionGroup var options: AttachOptions

  func run() async throws {
    let settings: AttachSettings
    do throws(AttachSettings.Problem) { settings = try AttachSettings(options) } catch {
      Console.note(error.text)
      throw ExitCode.usage
    }
    if let steps = options.steps { return try await runScenario(steps, settings) }
    // Signals are caught before the mirror starts, because a signal that ended this program would
    // leave the mirror running.
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

  /// Runs the steps of a file, and writes the recording, also if a step has failed.
  private func runScenario(_ file: String, _ settings: AttachSettings) async throws {
    let scenario = ScenarioRun(
      url: options.urls[0], file: file, steps: try ScenarioFile.read(file), options: settings.options)
    let (recording, code) = await scenario.run()
    if let record = options.record { try ScenarioFile.write(recording, to: record) }
    if code != .success { throw code }
  }

  /// Waits until the mirror that this program has started listens, and prints the mirror's address.
  ///
  /// - Throws: the exit code, if a signal arrives, or if the mirror ends. A mirror that ends has
  ///   printed the reason itself.
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
    if !options.once { Console.line("the mirror is at \(address.origin)") }
    return address
  }

  /// Follows all pages until they have ended, a signal arrives, the time is over, or the mirror of
  /// this program has ended.
  ///
  /// - Returns: the first exit code that is not 0.
  private func follow(
    _ settings: AttachSettings, at address: WebAddress, _ own: OwnMirror?, _ signals: Signals
  ) async -> ExitCode {
    let attachments = options.urls.map { url in
      Attachment(
        url, to: MirrorConnection(address, token: settings.token, acceptsAnyCertificate: options.page.insecureTls),
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
          // A terminal's Ctrl-C reaches both programs, and the mirror may end before the signal is
          // noticed here.
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
