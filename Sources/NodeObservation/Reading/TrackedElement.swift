public import MarkupDocument
internal import MirrorSupport

extension NodeCoordinator {
  /// An element to read in the closure of ``observe(_:isolation:_:)`` or in a body. Only the
  /// properties that are read are tracked. Programs call this function. The mirror's own views read
  /// snapshots of elements instead.
  public func element(_ node: NodeRef) -> TrackedElement { TrackedElement(node: node, coordinator: self) }
}

/// A live element: each property returns the present value. If an observing closure reads a
/// property, the closure runs again when that property becomes different, and not when other
/// properties do.
///
/// If the node is not in the document, the element has no tag, no attributes, no text and no
/// children. A closure that has read an element runs once more when the element is removed.
public struct TrackedElement: Sendable {
  /// The node of the element.
  public let node: NodeRef
  let coordinator: any NodeCoordinator

  /// Whether the node is in the document.
  public var exists: Bool { read(.existence, because: .signal) { $0 != nil } }

  /// The tag; `nil` if the node is not an element of the document.
  public var tag: String? { read(.tag, because: .signal) { $0?.element?.tag } }

  /// The value of an attribute: `nil` if the attribute is absent, empty if it is written without a
  /// value.
  public subscript(_ name: String) -> String? {
    read(.attribute(name), because: .attributes([name])) { $0?.element?[name] }
  }

  /// The direct texts of the element, concatenated; `nil` if the node is not in the document.
  public var text: String? { read(.text, because: .text) { $0?.text } }

  /// The direct child elements.
  public var children: [TrackedElement] {
    read(.children, because: .children) { $0?.elements ?? [] }
      .map { TrackedElement(node: $0, coordinator: coordinator) }
  }

  // MARK: - Reading

  /// A node that was found in one version of the document.
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
    reader.follow(key) { NodeReadSource(node, in: coordinator, key: key) }
    let seen = look(value)
    if seen.isThere {
      reader.note(key, part, because: reason) { look(value).value == seen.value }
    } else {
      // A node number is never reused, so this node will send no signals.
      reader.forget(key)
    }
    return seen.value
  }

  private func look<Value>(_ value: (Look?) -> Value) -> (value: Value, isThere: Bool) {
    coordinator.reading { document in
      guard let place = document.treeIndex(of: node) else { return (value(nil), false) }
      return (value(Look(document: document, place: place)), true)
    } ?? (value(nil), false)
  }
}

/// Notifies one reader of the signals of one node. Its own properties are constants, and a lock
/// guards the reader.
private final class NodeReadSource: Receiver<NodeRef, NodeSignal>, ReadSource, @unchecked Sendable {
  private let coordinator: any NodeCoordinator
  private let readKey: ReadKey
  private let reader: Guarded<Reader?> = Guarded(nil)

  init(_ node: NodeRef, in coordinator: any NodeCoordinator, key: ReadKey) {
    self.coordinator = coordinator
    readKey = key
    super.init(key: node, flags: .init(.observer))
  }

  func add(_ reader: Reader) {
    self.reader.withLock { $0 = reader }
    coordinator.publishers.subscribers.subscribe(self)
  }

  /// Does not wait for calls on other threads: the reading thread may hold a lock that such a call
  /// is waiting for.
  func remove(_ reader: Reader) {
    self.reader.withLock { $0 = nil }
    coordinator.publishers.subscribers.cancel(self, waits: false)
  }

  override func receive(_ signal: NodeSignal, flags: Flags) {
    let isEnd = if case .finished = signal { true } else { false }
    // The handler of the reader has stored the error.
    try? reader.current?.signal(readKey, isEnd: isEnd)
  }
}
