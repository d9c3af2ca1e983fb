import ArgumentParser
import CLibrary
import CommandSupport
import LiveViewMirror
import MirrorAnalysis
import Logging
import MicroHTTP
import MirrorInspector
import MirrorJournal

extension Serve {
  /// Serves until a signal arrives, then finishes the running requests. ``Serve``, ``Demo`` and
  /// ``ImportFiles`` call it in the body of `run(_:defaults:_:)`, which prepares the process.
  ///
  /// - Parameters:
  ///   - portUse: what the user can do if another program uses the port, instead of the usual
  ///     advice.
  ///   - prepare: fills the views before the port is opened. If it throws, the server does not
  ///     start and nothing was logged. Whether the port is free is checked before the call.
  ///   - started: called when the port is open, with the address of the server.
  static func serve(
    _ settings: ServeSettings, log: ServerLog, portUse: String? = nil, prepare: (LiveViews) throws -> Void = { _ in },
    started: (String) -> Void = { _ in }
  ) throws {
    let assets: StaticFiles
    do {
      assets = try StaticFiles(
        directory: settings.publicFolder ?? PublicFolder.find(), folders: Inspector.assetFolders)
    } catch {
      throw loggedError(
        "cannot serve the inspector's files: \(error); name their folder with \(SettingsTable.rows.publicFolder.setting.flag)",
        code: .noInput)
    }
    let metrics = Metrics(version: LiveViewMirrorCommand.version)
    let plan = settings.memoryPlan
    let events = EventHub(
      clients: settings.clients, waiting: plan.events, recent: plan.tails, cached: plan.cache)
    let listener = LogListeners(events, metrics)
    let (journal, views) = try journaled(settings, listener)
    journal?.whenChanged { error in
      if let error {
        log.logger.error("journal refuses writes", metadata: ["reason": "\(error.reason)"])
      } else {
        log.logger.notice("journal accepts writes")
      }
    }
    views.whenEvicted { [limits = settings.limits] eviction in
      log.warn("the view \(eviction.view) was evicted, because \(limits.cause(of: eviction))")
    }
    let refusedOrigins = RefusedOrigins()
    let inspector = Inspector(
      views: views, events: events, assets: assets, metrics: metrics, subscriptions: settings.subscriptions,
      asksForToken: settings.token != nil, images: settings.pageImages, app: settings.appStyles,
      editor: settings.editor, templates: settings.templates, memory: plan.all(settings.limits),
      refusedOrigins: refusedOrigins)
    try listening(portUse) { () throws(HTTPServerError) in
      try HTTPServer.checkAvailability(address: settings.address, port: settings.port)
    }
    try prepare(views)
    log.note(settings)
    let possible = HTTPServer.possibleConnections
    let connections = settings.connections(possible: possible)
    if connections < settings.connections(possible: .max) {
      log.logger.notice(
        "fewer connections, since the process may open few descriptors (ulimit -n)",
        metadata: ["connections": "\(connections)"])
    }
    let server = HTTPServer(
      address: settings.address, port: settings.port, maximumBodyBytes: settings.maximumBodyBytes,
      maximumBodyMemory: plan.bodies, maximumResponseMemory: plan.answers, maximumWorkMemory: plan.work,
      maximumConnections: connections, maximumStreams: settings.clients,
      handler: ContentNegotiation(inspector),
      middleware: try guards(settings) { request, origin in
        guard let advice = refusedOrigins.note(origin, refusedFor: request) else { return }
        log.warn(advice)
      },
      demand: { Inspector.demand(of: $0, isShared: views.isShared) },
      waits: !views.hasJournal
        ? nil : { @Sendable in views.readsJournal(beforeUpdating: $0) },
      memory: inspector.memory(of:),
      onRequest: { report in
        metrics.count(report)
        log.note(report)
      }, log: log.warn)

    // The listener is created before the first request, so that an early signal is not lost.
    let signals = ShutdownSignal.Listener()
    try listening(portUse) { () throws(HTTPServerError) in try server.start() }
    let host = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
    log.logger.info("listening", metadata: ["address": "\(settings.address)", "port": "\(server.port)"])
    // This is the first line of standard output. Programs that start the server wait for this line
    // before they send requests.
    let address = "http://\(host):\(server.port)"
    // Unlike `Output.line`, this does not end the program if it fails: a server goes on even if its
    // output cannot be written.
    Output.write("liveview-mirror listens on \(address)\n", to: STDOUT_FILENO)
    started(address)

    let ticker = settings.limits.expiry.map { expiry in
      Ticker(every: Ticker.interval(forExpiry: expiry)) {
        for id in views.removeIdle() { log.logger.info("expired", metadata: ["view": "\(id)"]) }
      }
    }

    let unloading = journal.map { _ in
      Ticker(every: .seconds(10)) { views.unloadIdle(for: Self.idleTime) }
    }

    let signal = signals.wait()
    log.logger.info("stopping", metadata: ["signal": signal == .interrupt ? "SIGINT" : "SIGTERM"])
    // A handler, or a write of the journal, cannot be interrupted, so a thread ends the process a
    // second after the time of `--grace`. Updates whose requests were answered are kept.
    _ = Ticker(every: settings.grace + .seconds(1)) {
      log.logger.warning("stopped", metadata: ["reason": "what still ran after the time of --grace was abandoned"])
      _exit(0)
    }
    ticker?.stop()
    unloading?.stop()
    // Ends the event streams with a last event, so that clients see a shutdown and not a broken
    // connection.
    inspector.close()
    let cut = server.stop(grace: settings.grace)
    views.stopFollowing()
    journal?.stop()
    log.logger.info("stopped", metadata: ["cut": "\(cut)"])
  }

  /// After this time without use, a view is removed from memory. The journal keeps it.
  private static let idleTime = Duration.seconds(60)

  /// The views, with those of the journal if the settings name one.
  ///
  /// - Throws: the exit code, after a message with what to do.
  private static func journaled(_ settings: ServeSettings, _ listener: LogListeners) throws -> (Journal?, LiveViews) {
    guard let location = settings.journal else {
      return (nil, LiveViews(options: settings.options.withAnalyses, limits: settings.limits, listener: listener))
    }
    do throws(JournalError) {
      let journal = try Journal(try location.open())
      return (
        journal,
        try LiveViews(
          options: settings.options.withAnalyses, limits: settings.limits, listener: listener, journal: journal)
      )
    } catch {
      throw loggedError(error.reason, code: .noInput)
    }
  }

  /// - Throws: the exit code, after a message with what to do.
  private static func listening(_ portUse: String?, _ body: () throws(HTTPServerError) -> Void) throws {
    do { try body() } catch { throw loggedError("\(error)\(remedy(for: error, portUse))", code: .unavailable) }
  }

  /// What the user can do if the server does not start.
  private static func remedy(for error: HTTPServerError, _ portUse: String?) -> String {
    let port = SettingsTable.rows.port.setting.flag
    return switch error {
    case .addressInUse where portUse != nil: portUse ?? ""
    case .addressInUse: "; choose another with \(port), or \(port) 0 for a free one"
    case .invalidAddress, .cannotListen: "; choose others with \(SettingsTable.rows.address.setting.flag) and \(port)"
    case .tooFewDescriptors:
      " with \(SettingsTable.rows.maxClients.setting.flag), or raise the limit of the process (ulimit -n)"
    case .cannotStart, .alreadyRunning: ""
    }
  }

  /// The middleware around every handler.
  ///
  /// - Parameter refused: called with each request of a page that is refused, and with the origin
  ///   of the page.
  private static func guards(
    _ settings: ServeSettings, refused: @escaping @Sendable (HTTPRequest, String) -> Void
  ) throws -> @Sendable (any HTTPHandler) -> any HTTPHandler {
    let token = try settings.token.map { try AccessToken($0) }
    let origins = try settings.allowedOrigins.map { try WebOrigin($0) }
    let hosts = try settings.allowedHosts.map { try HostPattern($0) }
    let address = settings.address
    // The middleware is added from the innermost to the outermost.
    return { handler in
      var handler = handler
      if let token {
        handler = TokenCheck(handler, token: token, realm: "liveview-mirror", cookie: "liveview-mirror") { request in
          // The pages of apps load the tap without the cookie.
          request.segments == ["healthz"] || request.segments.first == "assets"
        }
      }
      handler = OriginCheck(
        handler, allowed: origins, hint: "Name it with \(SettingsTable.rows.allowOrigin.setting.flag).",
        // An event stream takes one of the limited places, and a carrier's stream contains what a
        // person types, so pages of other origins must not open one.
        alsoChecks: { $0.segments.last == "events" || $0.segments.last == "pushes" },
        allowsCrossSite: Inspector.isShared, refused: refused)
      handler = HostCheck(
        handler, allowed: hosts, address: address, hint: "Name it with \(SettingsTable.rows.allowHost.setting.flag).")
      return SecurityHeaders(ProblemPageMiddleware(handler))
    }
  }
}
