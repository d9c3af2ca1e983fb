internal import ArgumentParser
internal import CommandSupport
internal import LiveViewMirror
internal import Logging
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// `liveview-mirror import`: opens recorded traffic in the inspector of a mirror. The name of the
/// command is a keyword of Swift, so the type has another one.
struct ImportFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Open recorded traffic in the inspector.",
    discussion: """
      Accepts what replay accepts, recognised by its content: a HAR of a browser with WebSocket messages, rows copied from the \
      developer tools, exports of this program, recordings and channel frames. Views that are already in the mirror are not changed.

      Without --mirror, a mirror starts with the files: the options and variables are those of serve. If a file cannot be imported, \
      it does not start. With --mirror, the files are sent to that running mirror, also after one that cannot be imported.

      Exports of the views of one page, one in each file, become one page again.

      Standard output has the address of each view, which opens at its first version.

      Exit codes: 0 everything was imported, 65 a file was refused or a frame was rejected, 66 a file cannot be read, 69 the mirror \
      cannot be reached or cannot start, 77 the mirror needs a token.
      """)

  @Argument(help: "The files, or - for standard input.", completion: .file())
  var files: [String]

  @Option("The address of a running mirror, such as http://localhost:8080.", of: "url") var mirror: String?

  @OptionGroup var dialect: DialectOption

  @OptionGroup(title: "Settings of the mirror that is started") var flags: ServeFlags

  /// A mirror needs long for a large file, and responds when it has applied all of it.
  private static let patience = Duration.seconds(600)

  func validate() throws {
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
      var imports: [Import] = []
      try Serve.serve(settings, log: log, portUse: Self.advice(about: settings)) { views in
        imports = try fill(views)
      } started: { address in
        for (source, summary) in imports {
          log.logger.info("imported", metadata: ["file": .string(source.name), "content": .string(summary.text)])
          for warning in source.warnings(summary) { log.logger.warning("\(warning)") }
        }
        for (_, summary) in imports { summary.addresses(in: address).forEach(Output.line) }
      }
    }
  }

  /// What to do if the port is used, usually by the mirror that the user has already started.
  private static func advice(about settings: ServeSettings) -> String {
    let address = IPAddress(settings.address)
    let isLocal = address?.isWildcard == true || address?.isLoopback == true && address?.isIPv6 == false
    let mirror = MirrorAddress(host: isLocal ? "localhost" : settings.address, port: settings.port)
    let port = SettingsTable.rows.port.setting.flag
    return
      "; if that is a mirror, add the files to it with --mirror \(mirror); or choose another port with \(port), or \(port) 0 for a free one"
  }

  /// One import: a file, or several exports of one page.
  private struct Source {
    let files: [String]
    let content: Result<[UInt8], SystemError>
    /// The number of lines of each file; empty for a single file.
    var lines: [Int] = []

    /// The files, for messages.
    var name: String {
      switch files.count {
      case 1: files[0]
      case 2: "\(files[0]) and \(files[1])"
      default: "\(files[0]) and \(files.count - 1) others of the same page"
      }
    }

    /// The warnings about frames and views that were not imported.
    func warnings(_ summary: ImportSummary) -> [String] {
      let warnings = summary.warnings(about: name)
      guard files.count > 1, summary.rejectedFrameCount > 0 else { return warnings }
      var (first, places): (Int, [String]) = (1, [])
      for (file, count) in zip(files, lines) {
        places.append("\(first) to \(first + count - 1) are those of \(file)")
        first += count
      }
      return warnings + ["lines " + places.joined(separator: ", ")]
    }
  }

  /// Reads the files. The exports of one page are joined to one source, so that they become one
  /// page again.
  private func read() -> [Source] {
    let contents = files.map { file in Result { () throws(SystemError) in try Input.read(file) } }
    return ExportFile.groups(contents.map { (try? $0.get()) ?? [] }).map { group in
      let names = group.map { files[$0] }
      // A file that cannot be read is a source of its own.
      if group.count == 1 { return Source(files: names, content: contents[group[0]]) }
      let exports = group.compactMap { try? contents[$0].get() }.map { ExportFile.joined([$0]) }
      return Source(
        files: names, content: .success(ExportFile.joined(exports)), lines: exports.map { $0.count { $0 == 0x0A } })
    }
  }

  /// Handles each file, also after one that failed.
  ///
  /// - Parameter body: handles the content of a source, and notes its failure.
  private func readAll(_ body: (Source, [UInt8], inout Failures) throws -> Void) rethrows -> Failures {
    var failures: Failures = []
    for source in read() {
      switch source.content {
      case .success(let content): try body(source, content, &failures)
      case .failure(let error):
        failures.append((loggedError("cannot read \(source.name): \(error)", code: .noInput), source.files.count))
      }
    }
    return failures
  }

  /// What could not be imported: the exit code, and the number of files, which is 0 if only some of
  /// their frames were rejected.
  private typealias Failures = [(code: ExitCode, files: Int)]

  // MARK: - Into a mirror of its own

  private typealias Import = (source: Source, summary: ImportSummary)

  /// Imports all files. If one of them cannot be imported, the mirror does not start, so that the
  /// user need not find out which files are missing.
  private func fill(_ views: LiveViews) throws -> [Import] {
    var imports: [Import] = []
    let failures = readAll { source, content, failures in
      do throws(UpdateError) {
        let report = try views.importing(content, dialect: dialect.value)
        imports.append((source, ImportSummary(report)))
      } catch {
        failures.append((loggedError("\(source.name): \(error)", code: .badInput), source.files.count))
      }
    }
    if let failure = failures.first?.code {
      Output.error("the mirror was not started: remove the files that cannot be imported")
      throw failure
    }
    return imports.map { source, summary in
      var summary = summary
      // A later file may have evicted the views of an earlier one.
      summary.evict { views[$0]?.view == nil }
      return (source, summary)
    }
  }

  // MARK: - Into a running mirror

  /// Sends each file, also after one that was refused.
  private func send(to address: MirrorAddress) throws {
    let settings = try ServeSettings.ofMirror(
      token: flags.token, tokenFile: flags.tokenFile, environment: Environment.read())
    let client = MirrorClient(address: address, token: settings.token, timeout: Self.patience)
    let failures = try readAll { source, content, failures in
      let response: MirrorResponse
      do throws(MirrorClientError) {
        response = try client.post("/views?dialect=\(dialect.value.rawValue)", content)
      } catch {
        throw loggedError(
          "\(source.name): \(error). Start the mirror with liveview-mirror serve, or omit --mirror", code: .unavailable)
      }
      report(response, of: source, address, &failures)
    }
    guard let failure = failures.first?.code else { return }
    let refused = failures.reduce(0) { $0 + $1.files }
    if (1..<files.count).contains(refused) {
      let others = files.count - refused
      Output.error(
        "\(refused) of \(files.count) files \(refused == 1 ? "was" : "were") not imported; "
          + "the other\(others == 1 ? " was" : "s were")")
    }
    throw failure
  }

  private func report(
    _ response: MirrorResponse, of source: Source, _ address: MirrorAddress, _ failures: inout Failures
  ) {
    guard response.isSuccess, let summary = ImportSummary(response.body) else {
      // Exports of one page are one request, so that they become one page again.
      let isLong = response.status == 413 && source.files.count > 1
      let advice = isLong ? " They are sent together; import them one by one, or raise --max-body of the mirror." : ""
      let code = loggedError(
        "\(source.name): \(response.problemText)\(advice)", code: response.isSuccess ? .badInput : response.exitCode)
      return failures.append((code, source.files.count))
    }
    Output.error("\(source.name): \(summary.text)")
    source.warnings(summary).forEach(Output.error)
    summary.addresses(in: address.description).forEach(Output.line)
    if summary.rejectedFrameCount > 0 { failures.append((.badInput, 0)) }
  }
}
