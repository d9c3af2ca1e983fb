import ArgumentParser
import LiveViewMirror
import MicroHTTP
import MirrorInspector

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take diffs by POST and serve the inspector.",
    discussion: """
      Listens on this machine alone unless told otherwise. Views live in memory: they are gone when the program ends, \
      which Ctrl-C or SIGTERM asks for; requests that have begun are finished first.
      """)

  @Option(help: "The address to listen on. Others than loopback let everybody in who can reach them.")
  var address = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one and prints it.")
  var port: UInt16 = 8080

  @Option(
    name: .customLong("public"), help: "The folder of the inspector's style sheet. Found by itself in a checkout.")
  var publicFolder: String?

  @OptionGroup(title: "Updates") var updates: PipelineOptions

  func run() throws {
    let assets: StaticFiles
    do { assets = try StaticFiles(directory: publicFolder ?? PublicFolder.find()) } catch {
      throw complaint("cannot serve the inspector's files: \(error); name their folder with --public", code: .noInput)
    }
    let events = EventHub()
    let views = LiveViews(options: updates.options, limits: MirrorLimits(), listener: events)
    let inspector = Inspector(views: views, events: events, assets: assets)
    let server = HTTPServer(address: address, port: port, handler: ProblemPages(inspector), log: Output.error)
    // Before the first request, so that a signal that comes early is not lost.
    let signals = ShutdownSignal.Listener()
    do { try server.start() } catch {
      throw complaint("\(error); choose another with --port, or --port 0 for a free one", code: .unavailable)
    }
    let host = address.contains(":") ? "[\(address)]" : address
    Output.line("liveview-mirror listens on http://\(host):\(server.port)")
    _ = signals.wait()
    inspector.close()
    server.stop(grace: .seconds(8))
  }
}
