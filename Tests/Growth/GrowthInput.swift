import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorInspector
import MirrorSupport

/// An input of any size, and the measured work on it.
///
/// A new input is a value in the file of its family in `Inputs`, listed in ``all``:
///
/// ```swift
/// .view(
///   "list/append", size: 4_000,
///   mount: { n in #"{"s":["<ul>","</ul>"],"0":""}"# },
///   diffs: { n in [ … ] })
/// ```
///
/// Other kinds of work are a ``Case`` with its own preparation.
struct GrowthInput {
  /// The family and the name, such as `list/append`.
  var name: String
  /// The smallest size *n*. The sizes 2*n*, 4*n*, 8*n* and 16*n* are also measured; with `--quick`,
  /// an eighth of each.
  var size: Int
  var cases: [Case]

  /// The measured work. Its processor time on this thread is measured.
  typealias Work = () throws -> Void

  /// One way to process the input.
  struct Case {
    /// `mount`, `scoped` and `full` are compared with each other. Other labels have no meaning.
    var label: String
    /// Prepares one size without measurement, and returns the work. The work runs once.
    var prepare: (_ size: Int) throws -> Work
  }
}

extension GrowthInput {
  /// A mounted page and diffs, in both pipelines: with the options and limits of `serve`, and with
  /// the change set as JSON, as in a request. The case `compare` computes the change set between
  /// the two versions again.
  ///
  /// - Parameters:
  ///   - mount: the Rendered as JSON.
  ///   - before: diffs that are applied before the measurement.
  ///   - diffs: the diffs whose updates are measured; empty for an input that only measures the
  ///     mount.
  ///   - pipelines: `[.scoped]` if the cost of a full update grows faster by design, for example
  ///     for many diffs of a large page.
  static func view(
    _ name: String, size: Int, dialect: Dialect = .html, mount: @escaping (Int) -> String,
    before: @escaping (Int) -> [String] = { _ in [] }, diffs: ((Int) -> [String])? = nil,
    in pipelines: [UpdateOptions.Pipeline] = UpdateOptions.Pipeline.allCases
  ) -> GrowthInput {
    var cases = [
      Case(label: "mount") { size in
        let (view, body) = (view(in: .scoped), Array(mount(size).utf8))
        return { _ = try view.mount(body, dialect: dialect).json().text }
      }
    ]
    if let diffs {
      cases += pipelines.map { pipeline in
        Case(label: pipeline.rawValue) { size in
          let view = view(in: pipeline)
          try view.mount(Array(mount(size).utf8), dialect: dialect)
          for diff in before(size) { try view.update(Array(diff.utf8)) }
          let bodies = diffs(size).map { Array($0.utf8) }
          return { for body in bodies { _ = try view.update(body).json().text } }
        }
      }
      cases.append(comparison(dialect: dialect, mount: mount, before: before, diffs: diffs))
    }
    return GrowthInput(name: name, size: size, cases: cases)
  }

  private static func comparison(
    dialect: Dialect, mount: @escaping (Int) -> String, before: @escaping (Int) -> [String],
    diffs: @escaping (Int) -> [String]
  ) -> Case {
    Case(label: "compare") { size in
      let view = view(in: .scoped)
      try view.mount(Array(mount(size).utf8), dialect: dialect)
      for diff in before(size) + diffs(size) { try view.update(Array(diff.utf8)) }
      guard let state = view.view else { return {} }
      return {
        guard let old = state.document(at: 0), let new = state.document(at: state.version) else { return }
        _ = (ChangeSet(from: old, to: new), state.rendered(at: 0))
      }
    }
  }

  /// Work that is not an update of a view.
  static func work(
    _ name: String, _ label: String, size: Int, prepare: @escaping (_ size: Int) throws -> Work
  ) -> GrowthInput {
    GrowthInput(name: name, size: size, cases: [Case(label: label, prepare: prepare)])
  }

  static func view(in pipeline: UpdateOptions.Pipeline) -> LiveViewCoordinator {
    LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline, drawsPage: true).withAnalyses)
  }
}

// MARK: - All inputs

extension GrowthInput {
  static var all: [GrowthInput] {
    attributes + tables + lists + streams + components + functionComponents + slots + markup + siblings + wire
      + observers
      + readers + files + acting
  }
}
