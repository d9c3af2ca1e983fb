package import ArgumentParser

/// How a program without a browser requests a page of an app and its LiveViews. `attach` and
/// `check --attach` have these options.
///
/// The program `liveview-mirror-attach` checks the values when it reads them.
package struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A header of each request to the page's host. May be repeated.", valueName: "name: value"))
  package var header: [String] = []

  @Option(help: ArgumentHelp("A cookie of each request to the page's host. May be repeated.", valueName: "name=value"))
  package var cookie: [String] = []

  @Flag(help: "Accept certificates that no known authority has signed.")
  package var insecureTls = false

  @Option("Request the markup of LiveView Native in this format, such as swiftui.", of: "format")
  package var format: String?

  @Option("The path of the LiveView socket. By default it is the one that the page names, or /live.", of: "path")
  package var socketPath: String?

  package init() {}

  /// The options as arguments, such as `["--cookie", "a=b"]`. `check --attach` passes them to the
  /// program `liveview-mirror-attach`, so every option of this type must be among them.
  package var arguments: [String] {
    header.flatMap { ["--header", $0] } + cookie.flatMap { ["--cookie", $0] }
      + (insecureTls ? ["--insecure-tls"] : []) + (format.map { ["--format", $0] } ?? [])
      + (socketPath.map { ["--socket-path", $0] } ?? [])
  }
}
