public import MarkupDocument

extension NodeCoordinator {
  /// An element to read in the closure of ``observe(_:_:)`` or in a body: whatever is read of it counts, and no more.
  public func element(_ node: NodeRef) -> TrackedElement { TrackedElement(node: node, coordinator: self) }
}

/// An element as it is at every moment. What a closure that observes reads of it makes the closure run again when just
/// that differs.
///
/// An element that is not there, or no more, has no tag, no attributes, no text and no children. A closure that has read
/// one runs once more when it goes.
public struct TrackedElement: Sendable {
  /// The node that it is.
  public let node: NodeRef
  let coordinator: any NodeCoordinator

  /// Whether the node is an element that stands in the document.
  public var exists: Bool { read(.existence, because: .signal) { $0 != nil } }

  /// Its tag; `nil` where it is not there.
  public var tag: String? { read(.tag, because: .signal) { $0?.element?.tag } }

  /// The value of an attribute; `nil` where it is absent, empty where it is written without one.
  public subscript(_ name: String) -> String? {
    read(.attribute(name), because: .attributes([name])) { $0?.element?[name] }
  }

  /// The texts that stand directly in it, one after the other; `nil` where it is not there.
  public var text: String? { read(.text, because: .text) { $0?.text } }

  /// The elements that stand directly in it.
  public var children: [TrackedElement] {
    read(.children, because: .children) { $0?.elements ?? [] }
      .map { TrackedElement(node: $0, coordinator: coordinator) }
  }

  // MARK: - Reading

  /// A node in the document.
  struct Look {
    let document: Document
    let place: NodeTree.Index

    var element: Element? { document.tree[place].element }

    var text: String {
      document.tree.children(of: place).reduce(into: "") { text, child in
        if case .text(let more) = document.tree[child] { text += more }
      }
    }

    var elements: [NodeRef] {
      document.tree.children(of: place).filter { document.tree[$0].element != nil }.map(document.ref)
    }
  }

  private func read<Value: Equatable & Sendable>(
    _ part: ReadPart, because reason: EvaluationReason, _ value: @escaping @Sendable (Look?) -> Value
  ) -> Value {
    guard let reader = Reader.current else { return look(value).value }
    let key = ReadKey(coordinator, node: node)
    reader.follow(key) { NodeSource(node, in: coordinator, key: key) }
    let seen = look(value)
    if seen.isThere {
      reader.note(key, part, because: reason) { look(value).value == seen.value }
    } else {
      // A number is never given twice: nothing will come.
      reader.forget(key)
    }
    return seen.value
  }

  private func look<Value>(_ value: (Look?) -> Value) -> (value: Value, isThere: Bool) {
    coordinator.reading { document in
      guard let place = document.place(of: node) else { return (value(nil), false) }
      return (value(Look(document: document, place: place)), true)
    } ?? (value(nil), false)
  }
}

/// Tells one reader of one node.
private final class NodeSource: Receiver<NodeKey, NodeSignal>, ReadSource, @unchecked Sendable {
  private let coordinator: any NodeCoordinator
  private let readKey: ReadKey
  private let reader: Guarded<Reader?> = Guarded(nil)

  init(_ node: NodeRef, in coordinator: any NodeCoordinator, key: ReadKey) {
    self.coordinator = coordinator
    readKey = key
    super.init(key: NodeKey(node), flags: .init(.observer))
  }

  func add(_ reader: Reader) {
    self.reader.withLock { $0 = reader }
    coordinator.publishers.switchboard.subscribe(self)
  }

  /// Does not wait for other threads: whoever reads may hold what they wait for.
  func remove(_ reader: Reader) {
    self.reader.withLock { $0 = nil }
    coordinator.publishers.switchboard.cancel(self, waits: false)
  }

  override func receive(_ signal: NodeSignal, flags: Flags) {
    let isEnd = if case .finished = signal { true } else { false }
    // Noted by the reader.
    try? reader.withLock { $0 }?.signal(readKey, isEnd: isEnd)
  }
}
