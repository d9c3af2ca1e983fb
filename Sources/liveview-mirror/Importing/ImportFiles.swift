internal import ArgumentParser
internal import LiveViewMirror
internal import Logging
internal import MarkupDocument

/// `liveview-mirror import`. The name of the command is a keyword of Swift.
struct ImportFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Open recorded traffic in the inspector.",
    discussion: """
      Accepts what replay accepts, recognised by its content: a HAR of a browser with WebSocket messages, rows copied from the \
      developer tools, exports of this program, recordings and channel frames. Views that are already in the mirror are not changed.

      Without --mirror, a mirror starts with the files: the options and variables are those of serve. If a file cannot be imported, \
      it does not start. With --mirror, each file is sent to that running mirror.

      Standard output has the address of each view, which opens at its first version.

      Exit codes: 0 everything was imported, 65 a file was refused or a frame was rejected, 66 a file cannot be read, 69 the mirror \
      cannot be reached or cannot start, 77 the mirror needs a token.
      """)

  @Argument(help: "The files, or - for standard input.")
  var files: [String]

  @Option(help: ArgumentHelp("The address of a running mirror, such as http://localhost:8080.", valueName: "url"))
  var mirror: String?

  @Option(help: "The dialect of pages that do not name one: \(Dialect.names).")
  var dialect = "html"

  @OptionGroup(title: "Settings of the mirror that is started") var flags: ServeFlags

  /// A mirror needs long for a large file, and responds when it has applied all of it.
  private static let patience = Duration.seconds(600)

  func validate() throws {
    if Dialect(rawValue: dialect) == nil {
      throw ValidationError("--dialect: \"\(dialect)\" must be \(Dialect.names)")
    }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input (-) can be imported once only") }
    guard mirror != nil else { return }
    let rows = SettingsTable.rows
    let others = Setting.all.filter {
      $0 != rows.token.setting && $0 != rows.tokenFile.setting && flags.text(of: $0) != nil
    }
    if !others.isEmpty {
      throw ValidationError(
        "\(others.map(\.flag).joined(separator: ", ")): a running mirror (--mirror) has its own settings; remove one of both"
      )
    }
  }

  func run() throws {
    if let mirror { return try send(to: MirrorAddress(flag: mirror)) }
    try Serve.run(flags) { settings, log in
      var summaries: [ImportSummary] = []
      try Serve.serve(settings, log: log) { views in
        summaries = try fill(views)
      } started: { address in
        for (file, summary) in zip(files, summaries) {
          log.logger.info("imported", metadata: ["file": .string(file), "content": .string(summary.text)])
          for warning in summary.warnings(about: file) { log.logger.warning("\(warning)") }
        }
        for summary in summaries { summary.addresses(in: address).forEach(Output.line) }
      }
    }
  }

  /// Reads each file, also after one that failed.
  ///
  /// - Parameter body: handles the content of a file; returns the exit code of a failure.
  /// - Returns: the exit code of the first failure.
  private func readAll(_ body: (_ file: String, _ content: [UInt8]) throws -> ExitCode?) rethrows -> ExitCode? {
    var failures: [ExitCode] = []
    for file in files {
      let failure =
        if let content = Input.bytes(of: file) {
          try body(file, content)
        } else {
          complaint("cannot read \(file)", code: .noInput)
        }
      if let failure { failures.append(failure) }
    }
    return failures.first
  }

  // MARK: - Into a mirror of its own

  /// Imports all files, or none: the user should not have to find out which ones are missing.
  ///
  /// - Returns: a summary for each file.
  private func fill(_ views: LiveViews) throws -> [ImportSummary] {
    var summaries: [ImportSummary] = []
    let failure = readAll { file, content in
      do throws(UpdateError) {
        summaries.append(ImportSummary(try views.importing(content, dialect: Dialect(rawValue: dialect) ?? .html)))
        return nil
      } catch {
        return complaint("\(file): \(error)", code: .badInput)
      }
    }
    if let failure {
      Output.error("the mirror was not started: remove the files that cannot be imported")
      throw failure
    }
    return summaries
  }

  // MARK: - Into a running mirror

  /// Sends each file, also after one that was refused.
  private func send(to address: MirrorAddress) throws {
    let settings = try ServeSettings.ofMirror(
      token: flags.token, tokenFile: flags.tokenFile, environment: Environment.read())
    let client = MirrorClient(address: address, token: settings.token, timeout: Self.patience)
    let failure = try readAll { file, content in
      let response: MirrorResponse
      do throws(MirrorClientError) { response = try client.post("/views?dialect=\(dialect)", content) } catch {
        throw complaint(
          "\(file): \(error). Start the mirror with liveview-mirror serve, or omit --mirror", code: .unavailable)
      }
      return report(response, of: file, address)
    }
    if let failure { throw failure }
  }

  /// - Returns: the exit code if something was refused.
  private func report(_ response: MirrorResponse, of file: String, _ address: MirrorAddress) -> ExitCode? {
    guard response.isSuccess, let summary = ImportSummary(response.body) else {
      return complaint("\(file): \(response.complaint)", code: response.isSuccess ? .badInput : response.exitCode)
    }
    Output.error("\(file): \(summary.text)")
    summary.warnings(about: file).forEach(Output.error)
    summary.addresses(in: address.description).forEach(Output.line)
    return summary.rejectedFrames > 0 ? .badInput : nil
  }
}
