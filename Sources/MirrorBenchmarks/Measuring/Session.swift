import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree

/// The views of a workload in one pipeline. Each sample has a new session, because the log of a
/// view grows with every diff.
///
/// ``PageMeasurement`` and ``Memory`` make sessions. ``mount()`` must be called before
/// ``playDiffs()``. A workload that is not a cycle is played with ``play(each:)``.
final class Session {
  let workload: Workload
  let options: UpdateOptions
  let limits: MirrorLimits
  private var views: [String: LiveViewCoordinator] = [:]
  /// The number of rejected diffs. Some recordings have them.
  private(set) var rejected = 0
  /// Nanoseconds of the mounts and diffs of ``play(each:)``.
  private(set) var mountTime: UInt64 = 0
  private(set) var diffTime: UInt64 = 0

  /// - Parameter versions: the number of versions that a log keeps; `nil` keeps all, so that the
  ///   measured time contains no evictions.
  init(
    _ workload: Workload, pipeline: UpdateOptions.Pipeline, drawsPage: Bool = false, keeping versions: Int? = nil
  ) {
    self.workload = workload
    limits = MirrorLimits(versions: versions ?? .max, logBytes: .max)
    options = UpdateOptions(pipeline: pipeline, drawsPage: drawsPage).withAnalyses
  }

  /// Applies the one mount of a cycle.
  func mount() {
    if let first = workload.steps.first { perform(first) }
  }

  /// Applies all diffs of a cycle once.
  func playDiffs() {
    for step in workload.steps.dropFirst() { perform(step) }
  }

  /// Applies all steps in order, and measures each separately.
  func play(each: (ChangeRecord) -> Void = { _ in }) {
    for step in workload.steps {
      let start = Clock.threadCPUTime
      let record = perform(step)
      let time = Clock.threadCPUTime - start
      switch step {
      case .mount: mountTime += time
      case .diff: diffTime += time
      case .other: break
      }
      if let record { each(record) }
    }
  }

  @discardableResult
  func perform(_ step: Workload.Step) -> ChangeRecord? {
    do {
      switch step {
      case .mount(let view, let bytes, let dialect): return try self.view(view).mount(bytes, dialect: dialect)
      case .diff(let view, let bytes): return try self.view(view).update(bytes)
      case .other(let view, let message): return try self.view(view).receive(message, dialect: .html)
      }
    } catch {
      rejected += 1
      return nil
    }
  }

  private func view(_ id: String) -> LiveViewCoordinator {
    if let view = views[id] { return view }
    let view = LiveViewCoordinator(id: id, options: options, limits: limits)
    views[id] = view
    return view
  }

  /// The rendered markup of the view, for a workload with one view.
  var markup: [UInt8]? { try? views.values.first?.view?.rendered.render().markup }
}
