public import ArgumentParser
public import LiveViewMirror

/// How updates are computed: what `serve` and `replay` have in common.
struct PipelineOptions: ParsableArguments {
  @Option(
    help: """
      How a diff is applied: scoped touches only what the diff names, full renders, parses and compares the whole page \
      every time. Both end with the same page; full is for comparing, and for when you do not trust scoped.
      """)
  var pipeline = UpdateOptions.Pipeline.scoped

  @Flag(
    help: """
      Compute every scoped update in full as well, and report a difference as a diagnostic of the update. It costs more \
      than the full pipeline: for looking for faults of the mirror.
      """)
  var verify = false

  func validate() throws {
    if verify, pipeline == .full {
      throw ValidationError(
        "--verify compares with the full pipeline: with --pipeline full there is nothing to compare")
    }
  }

  var options: UpdateOptions { UpdateOptions(pipeline: pipeline, verifies: verify, drawsPage: true) }
}

extension UpdateOptions.Pipeline: ExpressibleByArgument {}
