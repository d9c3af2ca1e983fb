package import ArgumentParser

/// The token of the mirror to which a command sends requests. `attach` and the other commands that
/// use a running mirror have these options. If both are set, a flag takes precedence over the
/// environment variable that its help names in brackets.
package struct TokenOptions: ParsableArguments {
  @Option("The token of the mirror [MIRROR_TOKEN].", of: "token") package var token: String?

  @Option("A file that holds the token [MIRROR_TOKEN_FILE].", of: "file", completion: .file())
  package var tokenFile: String?

  package init() {}
}
