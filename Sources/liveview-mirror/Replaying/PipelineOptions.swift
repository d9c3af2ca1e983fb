public import ArgumentParser
public import LiveViewMirror

/// How `replay` computes updates. `serve` has the same two options as settings.
struct PipelineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(SettingsTable.rows.pipeline.setting.summary))
  var pipeline = UpdateOptions.Pipeline.scoped

  @Flag(
    help: ArgumentHelp(SettingsTable.rows.verify.setting.summary))
  var verify = false

  func validate() throws {
    if verify, pipeline == .full {
      throw ValidationError(
        "--verify compares with the full pipeline, so --pipeline must not be full")
    }
  }

  var options: UpdateOptions { UpdateOptions(pipeline: pipeline, verifies: verify, drawsPage: true) }
}

extension UpdateOptions.Pipeline: ExpressibleByArgument {}
