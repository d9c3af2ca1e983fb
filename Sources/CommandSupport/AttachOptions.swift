package import ArgumentParser

/// The options of the command `attach`. `liveview-mirror` parses them and prints their help, and
/// then executes `liveview-mirror-attach`, which carries the command out. Only that program depends
/// on swift-nio.
package struct AttachOptions: ParsableArguments {
  package static let program = "liveview-mirror-attach"

  package static let abstract = "Join the LiveViews of a page without a browser, and mirror them."

  package static let discussion = """
    Loads each page, joins every LiveView in it as LiveView's client does (1.0, 1.1 and 1.2), and sends the frames to a mirror. \
    Events of POST /views/{view}/push are sent to the LiveView.

    With --mirror, the pages are added to a running mirror. Without it, the program starts a mirror, "liveview-mirror serve", \
    and ends it at its own end. The settings of that mirror are the variables of serve, such as MIRROR_PORT.

    Standard output has the address of each page's main view, as soon as the mirror has the page. With --once and without \
    --mirror, nothing is left to open at the end, so it has a summary of each page instead, such as
    http://localhost:4000/: 2 views joined, 9 frames mirrored

    Ctrl-C or SIGTERM leaves the views and ends the program. A second signal ends it at once.

    Exit codes: 0 ended by a signal, by --once or by --for; 1 a step of --steps has failed; 64 wrong usage; 65 the page has no \
    LiveView; 66 the page cannot be loaded; 69 the server or the mirror cannot be reached, the mirror of this program has ended, or \
    the program \(program) was not found; 76 the server does not speak the channel protocol 2.0.0; 77 the session is stale, the join \
    is refused, the mirror needs a token, or it refuses the page or, with --once, a frame. With several pages, the first failure \
    decides.
    """

  @Argument(help: ArgumentHelp("The pages, such as http://localhost:4000/.", valueName: "url"))
  package var urls: [String]

  @Option("The address of a running mirror, such as http://localhost:8080.", of: "url") package var mirror: String?

  @OptionGroup package var access: TokenOptions

  @OptionGroup(title: "The page") package var page: PageOptions

  @Flag(help: "End as soon as every view is joined and the mirror has its page, for CI.")
  package var once = false

  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time, such as 30s.", valueName: "time"))
  package var time: String?

  @Option(
    help: ArgumentHelp(
      """
      End with exit code 69 if no view of a page could be joined for this time, such as 1m. After the first join, it never gives up \
      by default.
      """, valueName: "time"))
  package var giveUp: String?

  @Option("The port of the mirror that is started without --mirror; 0 for a free one [MIRROR_PORT].", of: "port")
  package var port: String?

  @Option(
    "Run the steps of this file on one page without a mirror, and end. \"liveview-mirror check --attach\" does so.",
    of: "file", completion: .file())
  package var steps: String?

  @Option(
    "With --steps, write the frames into this file, also if a step fails; - for standard output.", of: "file",
    completion: .file())
  package var record: String?

  package init() {}
}
