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
    let views = LiveViews(options: settings.options, limits: settings.limits, listener: LogListeners(metrics))
    let levels = MetricsRoute(metrics) { Metrics.Levels(limits: settings.namedLimits) }
    let inspector = Inspector(views: views, assets: assets, metrics: levels)
    let server = HTTPServer(
      address: settings.address, port: settings.port, maximumBodyBytes: settings.maximumBodyBytes,
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
    Output.line("liveview-mirror listens on http://\(host):\(server.port)")
    log.logger.info("listening", metadata: ["address": "\(settings.address)", "port": "\(server.port)"])

    let signal = signals.wait()
    log.logger.info("stopping", metadata: ["signal": signal == .interrupt ? "SIGINT" : "SIGTERM"])
    let cut = server.stop(grace: settings.grace)
    log.logger.info("stopped", metadata: ["cut": "\(cut)"])
  }

  /// What stands in front of the inspector, the outermost last.
  private static func guarded(_ inspector: Inspector, by settings: ServeSettings) -> any HTTPHandler {
    inspector
  }
}
