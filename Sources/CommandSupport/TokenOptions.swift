package import ArgumentParser

/// The token of a mirror that a command reaches. `attach` and the commands that send requests to a
/// running mirror have these options. The flag takes precedence over the variable in brackets.
package struct TokenOptions: ParsableArguments {
  @Option("The token of the mirror [MIRROR_TOKEN].", of: "token") package var token: String?

  @Option("A file that holds the token [MIRROR_TOKEN_FILE].", of: "file", completion: .file())
  package var tokenFile: String?

  package init() {}
}
