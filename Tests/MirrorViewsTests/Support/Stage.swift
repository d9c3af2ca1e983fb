import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation

/// A page whose one element, `<x>`, is shown by a view of the test.
struct Stage {
  let coordinator: DocumentCoordinator
  let page: ViewTree
  /// What the tree wants to run later.
  let later = Later()

  init(_ markup: String = "<x></x>", view: @escaping @Sendable () -> any View) {
    coordinator = DocumentCoordinator(markup: markup, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in view() }
    let later = later
    page = ViewTree(of: coordinator, registry: registry) { later.add($0) }
  }

  /// Draws, and forgets what that evaluated.
  @discardableResult
  func draw() -> String {
    let markup = page.markup
    _ = page.takeEvaluations()
    return markup
  }

  /// What was evaluated since: `Row: state `open``, with the number of the view where that matters.
  func evaluated() -> [String] {
    page.takeEvaluations().map { "\($0.type): \($0.reasons.map(\.description).joined(separator: ", "))" }
  }

  /// Evaluates the view of `<x>` itself for a reason that has nothing to do with what it reads.
  func touch(_ round: Int) { coordinator.update(markup: "<x round=\"\(round)\"></x>") }
}

/// Work that waits until a test lets it run.
final class Later: Sendable {
  private let waiting = Guarded<[@Sendable () -> Void]>([])

  func add(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

  func run() {
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for work in work { work() }
  }
}

/// Lets a test reach into a view.
final class Reach<Value>: @unchecked Sendable {
  var value: Value?
}
