import ArgumentParser
import LiveViewMirror
import Logging
import MicroHTTP
import MirrorInspector

extension Serve {
  /// Serves until a signal comes, and then until what has begun is done.
  func serve(_ settings: ServeSettings, log: ServerLog) throws {
    let assets: StaticFiles
    do { assets = try StaticFiles(directory: settings.publicFolder ?? PublicFolder.find()) } catch {
      throw complaint(
        "cannot serve the inspector's files: \(error); name their folder with \(Setting.publicFolder.flag)",
        code: .noInput)
    }
    let metrics = Metrics(version: LiveViewMirrorCommand.version)
    let events = EventHub(clients: settings.clients)
    let views = LiveViews(options: settings.options, limits: settings.limits, listener: LogListeners(events, metrics))
    let levels = MetricsRoute(metrics) { Metrics.Levels(limits: settings.namedLimits) }
    let inspector = Inspector(
      views: views, events: events, assets: assets, metrics: levels, subscriptions: settings.subscriptions)
    let server = HTTPServer(
      address: settings.address, port: settings.port, maximumBodyBytes: settings.maximumBodyBytes,
      maximumStreams: settings.clients,
      handler: Self.guarded(inspector, by: settings),
      onRequest: { report in
        metrics.count(report)
        log.note(report)
      }, log: log.warn)

    // Before the first request, so that a signal that comes early is not lost.
    let signals = ShutdownSignal.Listener()
    do { try server.start() } catch {
      throw complaint(
        "\(error); choose another with \(Setting.port.flag), or \(Setting.port.flag) 0 for a free one",
        code: .unavailable)
    }
    let host = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
    log.logger.info("listening", metadata: ["address": "\(settings.address)", "port": "\(server.port)"])
    // The only line of standard output, and the last thing before it serves: what starts this program waits for it.
    Output.line("liveview-mirror listens on http://\(host):\(server.port)")

    let signal = signals.wait()
    log.logger.info("stopping", metadata: ["signal": signal == .interrupt ? "SIGINT" : "SIGTERM"])
    // Their readers are told that this is the end, and not left to wonder.
    inspector.close()
    let cut = server.stop(grace: settings.grace)
    log.logger.info("stopped", metadata: ["cut": "\(cut)"])
  }

  /// What stands in front of the inspector, the outermost last.
  private static func guarded(_ inspector: Inspector, by settings: ServeSettings) -> any HTTPHandler {
    let content = ContentNegotiation(inspector)
    let known: any HTTPHandler =
      if let token = settings.token.flatMap({ try? AccessToken($0) }) {
        TokenCheck(content, token: token, realm: "liveview-mirror", cookie: "liveview-mirror") { request in
          request.segments == ["healthz"]
        }
      } else {
        content
      }
    let sameOrigin = OriginCheck(
      known, allowed: settings.allowedOrigins.compactMap { try? WebOrigin($0) },
      hint: "name it with \(Setting.allowOrigin.flag)"
    ) { request in
      // A stream of events takes a place that others may need.
      request.segments.last == "events"
    }
    let here = HostCheck(
      sameOrigin, allowed: settings.allowedHosts.compactMap { try? HostPattern($0) }, address: settings.address,
      hint: "name it with \(Setting.allowHost.flag)")
    return SecurityHeaders(ProblemPages(here))
  }
}
