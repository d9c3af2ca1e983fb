internal import ArgumentParser
internal import CommandSupport
internal import MirrorChecks

/// What `check` writes besides its exit code. ``validate()`` refuses options that would mix JSON
/// with other text on standard output.
struct CheckOutputs: ParsableArguments {
  @Flag(help: "Print JSON instead of text.")
  var json = false

  @Flag(help: "Also print an annotation of GitHub Actions for each exceeded limit and each error.")
  var github = false

  @Option("Write JUnit XML.", of: "file") var junit: String?

  @Option("Write a summary in Markdown, such as to $GITHUB_STEP_SUMMARY.", of: "file") var markdown: String?

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

  /// Writes all outputs, even if one of the files cannot be written.
  ///
  /// - Returns: a failure for each file that could not be written. The messages are printed.
  func write(_ report: CheckReport) -> [CommandFailure] {
    if json {
      Output.write(CheckJSON.text(report))
    } else {
      let style = TextStyle.ofOutput
      for check in report.checks { Output.write(CheckText(check, style: style).text + "\n") }
      Output.write(CheckText.conclusion(report, style: style))
    }
    if github { Output.write(GitHubAnnotations.text(report)) }
    if !json, !github { report.warnings.forEach(Output.error) }
    var failures: [CommandFailure] = []
    for (file, text) in [(junit, JUnitReport.text(report)), (markdown, CheckMarkdown.text(report))] {
      guard let file else { continue }
      do throws(CommandFailure) { try OutputFile.write(text, to: file) } catch { failures.note(error) }
    }
    return failures
  }
}
