internal import ArgumentParser
import CommandSupport
internal import LiveViewMirror

/// How `replay` computes updates. `serve` has the same two options as settings.
struct PipelineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(SettingsTable.rows.pipeline.setting.summary),
    completion: .list(SettingsTable.rows.pipeline.kind.choices))
  var pipeline = UpdateOptions.Pipeline.scoped.rawValue

  @Flag(
    help: ArgumentHelp(SettingsTable.rows.verify.setting.summary))
  var verify = false

  func validate() throws {
    guard let chosen else {
      throw invalid("--pipeline", pipeline, SettingsTable.rows.pipeline.kind.expectation)
    }
    if verify, chosen == .full {
      throw ValidationError(
        "--verify compares with the full pipeline, so --pipeline must not be full")
    }
  }

  /// `nil` if the value is not valid.
  private var chosen: UpdateOptions.Pipeline? { SettingsTable.rows.pipeline.kind.read(pipeline) }

  var options: UpdateOptions { UpdateOptions(pipeline: chosen ?? .scoped, verifies: verify, drawsPage: true) }
}
