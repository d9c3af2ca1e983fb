package import ArgumentParser

/// The token of a mirror that a command reaches.
package struct TokenOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The token of the mirror [MIRROR_TOKEN].", valueName: "token"))
  package var token: String?

  @Option(
    help: ArgumentHelp("A file that holds the token [MIRROR_TOKEN_FILE].", valueName: "file"), completion: .file())
  package var tokenFile: String?

  package init() {}
}
