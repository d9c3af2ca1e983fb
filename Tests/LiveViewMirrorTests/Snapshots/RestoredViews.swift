import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import NodeObservation
import RenderedTree

/// A view, and views that were restored from its snapshots. All get the same inputs, and all must
/// stay equal.
struct RestoredViews {
  let original: LiveViewCoordinator
  private(set) var restored: [LiveViewCoordinator] = []
  private let options: UpdateOptions

  init(_ original: LiveViewCoordinator) {
    self.original = original
    options = original.options
  }

  /// Takes a snapshot of the original, and restores a view from it.
  ///
  /// - Returns: the first difference between the two.
  mutating func restore() throws -> String? {
    guard let state = original.view else { return "the view is not mounted" }
    let view = try LiveViewCoordinator(restoring: state.snapshot(), id: original.id, options: options)
    restored.append(view)
    if let fault = view.document?.checkInvariants().first { return "the restored document: \(fault)" }
    if view.view?.document(at: state.version)?.isSame(as: state.document) != true { return "another document" }
    if view.published != original.published { return "another published place" }
    return difference(of: view)
  }

  /// Applies an input to all views.
  ///
  /// - Returns: the result of the original, and the first difference of another view from it.
  func apply(
    _ input: (LiveViewCoordinator) throws(UpdateError) -> ChangeRecord?
  ) -> (result: InputResult, difference: String?) {
    let result = InputResult { () throws(UpdateError) in try input(original) }
    for (number, view) in restored.enumerated() {
      let other = InputResult { () throws(UpdateError) in try input(view) }
      if let difference = other.difference(from: result) { return (result, "restored view \(number): \(difference)") }
      if view.published != original.published {
        return (
          result, "restored view \(number) has published \(view.published as Any), not \(original.published as Any)"
        )
      }
    }
    return (result, nil)
  }

  /// The first difference between the states of the views: their snapshots, which must be equal
  /// byte for byte, and what they show.
  func difference() -> String? {
    for (number, view) in restored.enumerated() {
      if let difference = difference(of: view) { return "restored view \(number): \(difference)" }
    }
    return nil
  }

  private func difference(of view: LiveViewCoordinator) -> String? {
    guard let mine = original.view, let theirs = view.view else { return "a view is not mounted" }
    if !theirs.document.isSame(as: mine.document) { return "another document" }
    if theirs.rendered.json.text != mine.rendered.json.text { return "another tree" }
    if theirs.findings != mine.findings { return "the findings \(theirs.findings), not \(mine.findings)" }
    if theirs.wasteReport().text != mine.wasteReport().text {
      return "the waste \(theirs.wasteReport().text), not \(mine.wasteReport().text)"
    }
    if theirs.observers.count != mine.observers.count {
      return "\(theirs.observers.count) observers, not \(mine.observers.count)"
    }
    if view.publishers.counts() != original.publishers.counts() { return "other subscribers" }
    // A restored view has the times of its own updates.
    var (a, b) = (mine, theirs)
    (a.mountedAt, a.updatedAt) = (0, 0)
    (b.mountedAt, b.updatedAt) = (0, 0)
    return a.snapshot() == b.snapshot() ? nil : "another snapshot"
  }

  /// The first past version that a restored view rebuilds otherwise than the original.
  func pastDifference() -> String? {
    guard let mine = original.view else { return nil }
    for (number, view) in restored.enumerated() {
      guard let theirs = view.view else { continue }
      let (first, last) = (theirs.firstVersion, theirs.version)
      for version in last - first < 8 ? Array(first...last) : [first, (first + last) / 2] {
        guard let document = mine.document(at: version), let other = theirs.document(at: version) else {
          return "version \(version) of restored view \(number) is not kept"
        }
        if !other.isSame(as: document) { return "another document at version \(version)" }
        // Change sets have no marks, so a past document has none. The newest one has.
        if other.marks.origins != document.marks.origins || other.marks.roots != document.marks.roots {
          return "other marks at version \(version)"
        }
        if theirs.rendered(at: version)?.json.text != mine.rendered(at: version)?.json.text {
          return "another tree at version \(version) of restored view \(number)"
        }
      }
    }
    return nil
  }
}
