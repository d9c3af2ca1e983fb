import MarkupDocument
import NodeObservation

/// A document with its publishers and observers, updated by hand: markup in, who was told out.
struct Scene {
  private(set) var document: Document
  private(set) var observers: MountedObservers
  let publishers = NodePublishers()
  private(set) var changes: [Change] = []
  /// Numbers of nodes, in the order in which they were told.
  private(set) var told: [Int] = []

  init(_ markup: String, epoch: Int = 1) {
    document = Document(dialect: .html, epoch: epoch)
    observers = MountedObservers(publishers: publishers)
    observers.replaceDocument(root: document.root)
    update(markup)
  }

  mutating func update(_ markup: String, streams: [StreamPatch] = []) {
    let morph = Morph.changes(
      from: document, to: Page(parsing: Array(markup.utf8), dialect: .html), streams: streams)
    document.apply(morph.changes, marks: morph.marks)
    changes = morph.changes.changes
    _ = observers.follow(morph.changes)
    let notified = morph.changes.notified(in: document)
    told = notified.map(\.number)
    publishers.finish(nodesOf: morph.changes)
    for node in notified { publishers.send(to: node) }
  }

  func node(_ number: Int) -> NodeRef { NodeRef(epoch: document.epoch, number: number) }

  /// The element with an id.
  func node(id: String) -> NodeRef {
    document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == id } ?? node(-1)
  }

  var elements: [NodeRef] {
    document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
  }
}

/// What was heard, from any thread.
final class Heard: Sendable {
  private let entries = Guarded<[String]>([])
  func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  var all: [String] { entries.withLock { $0 } }

  /// What was heard since the last time.
  func take() -> [String] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

/// A place for a value that a closure needs before it exists.
final class Box<Value: Sendable>: Sendable {
  private let guarded: Guarded<Value?> = Guarded(nil)
  var value: Value? {
    get { guarded.withLock { $0 } }
    set { guarded.withLock { $0 = newValue } }
  }
}

/// A place that keeps nothing.
final class WeakBox<Value: AnyObject & Sendable>: Sendable {
  private struct Place: Sendable {
    weak var value: Value?
  }

  private let guarded: Guarded<Place>

  init(_ value: Value? = nil) { guarded = Guarded(Place(value: value)) }

  var value: Value? {
    get { guarded.withLock { $0.value } }
    set { guarded.withLock { $0.value = newValue } }
  }
}
