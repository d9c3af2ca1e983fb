import LiveViewMirror
import MarkupDocument
import MirrorInspector
import MirrorSupport

/// An input that can be made in any size, with the work that is measured on it.
///
/// A new one is a value in a file of its family in `Inputs`, listed in ``all``:
///
/// ```swift
/// .view(
///   "list/append", size: 4_000,
///   mount: { n in #"{"s":["<ul>","</ul>"],"0":""}"# },
///   diffs: { n in [ … ] })
/// ```
///
/// Work of another kind is a ``Case`` with its own preparation.
struct GrowthInput {
  /// `family/what`.
  var name: String
  /// The smallest size *n*; 2*n*, 4*n*, 8*n* and 16*n* are measured as well. An eighth of each with `--quick`.
  var size: Int
  var cases: [Case]

  /// What is measured: its processor time on this thread.
  typealias Work = () throws -> Void

  /// One way to process the input.
  struct Case {
    /// `mount`, `scoped` and `full` are compared with each other; other labels are free.
    var label: String
    /// Makes everything that is not measured, for one size, and returns the work. The work runs once.
    var prepare: (_ size: Int) throws -> Work
  }
}

extension GrowthInput {
  /// A page that is mounted, and diffs that are applied to it, in both pipelines: with the options and limits of `serve`, and
  /// with the change set as JSON, as a request has it. `compare` is the change set between the two versions, made again.
  ///
  /// - Parameters:
  ///   - mount: the Rendered as JSON.
  ///   - before: diffs that are applied before the measurement.
  ///   - diffs: the diffs whose updates are measured; none for an input that is about mounting alone.
  ///   - pipelines: `[.scoped]` where the full path must grow faster, such as many diffs to a large page.
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

  /// Work that is no update of a view.
  static func work(
    _ name: String, _ label: String, size: Int, prepare: @escaping (_ size: Int) throws -> Work
  ) -> GrowthInput {
    GrowthInput(name: name, size: size, cases: [Case(label: label, prepare: prepare)])
  }

  static func view(in pipeline: UpdateOptions.Pipeline) -> LiveViewCoordinator {
    LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline, drawsPage: true))
  }
}

// MARK: - All of them

extension GrowthInput {
  static var all: [GrowthInput] {
    attributes + tables + lists + streams + components + functionComponents + slots + markup + siblings + wire
      + observers
      + readers
  }
}
