package import MarkupDocument
internal import MirrorSupport
package import NodeObservation

/// A document with its publishers and observers. A test updates it with markup and reads the
/// notified nodes.
package struct Scene {
  package private(set) var document: Document
  package private(set) var observers: MountedObservers
  package let publishers = NodePublishers()
  package private(set) var changes: [Change] = []
  /// The numbers of the nodes that the last update notified, in the order of notification.
  package private(set) var notifiedNumbers: [Int] = []

  package init(_ markup: String, epoch: Int = 1) {
    document = Document(dialect: .html, epoch: epoch)
    observers = MountedObservers(publishers: publishers)
    observers.replaceDocument(root: document.root)
    update(markup)
  }

  package mutating func update(_ markup: String, streams: [StreamPatch] = []) {
    let morph = Morph.changes(
      from: document, to: Page(parsing: Array(markup.utf8), dialect: .html), streams: streams)
    document.apply(morph.changes, marks: morph.marks)
    changes = morph.changes.changes
    _ = observers.follow(morph.changes)
    let notified = morph.changes.notified(in: document)
    notifiedNumbers = notified.map(\.number)
    publishers.finish(nodesOf: morph.changes)
    for node in notified { publishers.send(to: node) }
  }

  package func node(_ number: Int) -> NodeRef { NodeRef(epoch: document.epoch, number: number) }

  /// The element with an id.
  package func node(id: String) -> NodeRef {
    document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == id } ?? node(-1)
  }

  package var elements: [NodeRef] {
    document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
  }
}

/// A log of received events that any thread can write.
package final class Heard: Sendable {
  package init() {}

  private let entries = Guarded<[String]>([])
  package func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  package var all: [String] { entries.current }

  /// Returns and removes the events received so far.
  package func take() -> [String] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

/// A variable that a closure can capture before its value exists.
package final class Box<Value: Sendable>: Sendable {
  package init() {}

  private let guarded: Guarded<Value?> = Guarded(nil)
  package var value: Value? {
    get { guarded.current }
    set { guarded.withLock { $0 = newValue } }
  }
}

/// A weak reference that closures can capture.
package final class WeakBox<Value: AnyObject & Sendable>: Sendable {
  private struct Place: Sendable {
    weak var value: Value?
  }

  private let guarded: Guarded<Place>

  package init(_ value: Value? = nil) { guarded = Guarded(Place(value: value)) }

  package var value: Value? {
    get { guarded.withLock { $0.value } }
    set { guarded.withLock { $0.value = newValue } }
  }
}
