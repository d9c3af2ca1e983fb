internal import ArgumentParser
internal import MirrorChecks

/// What `check` writes besides its exit code.
struct CheckOutputs: ParsableArguments {
  @Flag(help: "Print JSON instead of text.")
  var json = false

  @Flag(help: "Also print an annotation of GitHub Actions for each exceeded limit and each error.")
  var github = false

  @Option(help: ArgumentHelp("Write JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write a summary in Markdown, such as to $GITHUB_STEP_SUMMARY.", valueName: "file"))
  var markdown: String?

  /// The flags that were given.
  var given: [String] {
    [
      json ? "--json" : nil, github ? "--github" : nil, junit.map { _ in "--junit" },
      markdown.map { _ in "--markdown" },
    ].compactMap(\.self)
  }

  func validate() throws {
    let printed = [json ? "--json" : nil, github ? "--github" : nil].compactMap(\.self)
    if printed.count > 1 { throw ValidationError("--json and --github both use standard output: remove one") }
    for (flag, file) in [("--junit", junit), ("--markdown", markdown)] where file == "-" && json {
      throw ValidationError("\(flag) - and --json both use standard output: name a file")
    }
  }

  /// - Throws: the exit code, after a message, if a file cannot be written.
  func write(_ report: CheckReport) throws {
    if json {
      Output.write(CheckJSON.text(report))
    } else {
      let style = TextStyle.ofOutput
      for check in report.checks { Output.write(CheckText(check, style: style).text + "\n") }
      Output.write(CheckText.conclusion(report, style: style))
    }
    if github { Output.write(GitHubAnnotations.text(report)) }
    if !json, !github { report.warnings.forEach(Output.error) }
    if let junit { try OutputFile.write(JUnitReport.text(report), to: junit) }
    if let markdown { try OutputFile.write(CheckMarkdown.text(report), to: markdown) }
  }
}
