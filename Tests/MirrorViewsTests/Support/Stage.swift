import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation

/// A page with one element, `<x>`. A view of the test draws it.
struct Stage {
  let coordinator: DocumentCoordinator
  let page: ViewTree
  /// The work that the tree has passed to its scheduler.
  let later = Later()

  init(_ markup: String = "<x></x>", view: @escaping @Sendable () -> any PageView) {
    coordinator = DocumentCoordinator(markup: markup, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in view() }
    let later = later
    page = ViewTree(of: coordinator, registry: registry) { later.add($0) }
  }

  /// Draws the page, and forgets the evaluations.
  @discardableResult
  func draw() -> String {
    let markup = page.markup
    _ = page.takeEvaluations()
    return markup
  }

  /// The evaluations since the last call, such as `Row: state `open``.
  func evaluated() -> [String] {
    page.takeEvaluations().map { "\($0.type): \($0.reasons.map(\.description).joined(separator: ", "))" }
  }

  /// Evaluates the view of `<x>` for a reason unrelated to the values that it reads.
  func touch(_ round: Int) { coordinator.update(markup: "<x round=\"\(round)\"></x>") }
}

/// Work that is deferred until a test runs it.
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

/// Holds a value that a view passes to its test.
final class Reach<Value>: @unchecked Sendable {
  var value: Value?
}
