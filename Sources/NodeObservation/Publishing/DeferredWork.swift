/// The queue of work that runs when the publication of a thread ends, first in, first out. Each
/// ``ThreadContext`` has one, so only one thread uses it.
struct DeferredWork {
  /// One piece of waiting work. While it waits, further work with the same key is not added.
  struct Item {
    var cause: Cause
    var key: AnyHashable?
    var work: () -> Void
  }

  /// The origin of an item: its label, and the item that deferred it.
  final class Cause {
    let label: String
    let parent: Cause?
    let depth: Int

    init(label: String, parent: Cause?) {
      self.label = label
      self.parent = parent
      depth = (parent?.depth ?? 0) + 1
    }

    /// The labels from the first item of the chain to this one.
    var chain: [String] {
      var labels: [String] = []
      var cause: Cause? = self
      while let step = cause {
        labels.append(step.label)
        cause = step.parent
      }
      return labels.reversed()
    }

    // The release of a chain is recursive, but cannot exhaust the stack: a chain has at most
    // `Publication.maximumDepth` items.
  }

  private var items: [Item] = []
  /// The index of the next item. The items before this index have been taken.
  private var start = 0
  /// The keys of the waiting items.
  private var keys: Set<AnyHashable> = []
  /// The cause of the running item.
  private var cause: Cause?
  /// The number of items in this publication that were deferred by other deferred items.
  private var followUps = 0

  var isEmpty: Bool { start == items.count }

  /// Adds an item, unless an item with the same key is already waiting.
  ///
  /// - Throws: ``PublicationCycle`` if the chain of causes exceeds ``Publication/maximumDepth``, or
  ///   if deferred items have deferred ``Publication/maximumFollowUps`` items. The second limit
  ///   stops a cascade that branches: it becomes very long before it becomes deep.
  mutating func append(_ label: String, once key: AnyHashable?, _ work: @escaping () -> Void) throws(PublicationCycle) {
    if let key, keys.contains(key) { return }
    let next = Cause(label: label, parent: cause)
    guard next.depth <= Publication.maximumDepth, followUps < Publication.maximumFollowUps else {
      throw PublicationCycle(chain: next.chain)
    }
    if next.depth > 1 { followUps += 1 }
    if let key { keys.insert(key) }
    items.append(Item(cause: next, key: key, work: work))
  }

  /// Takes the next item, which becomes the running item; `nil` if no item is waiting.
  mutating func next() -> Item? {
    guard start < items.count else { return nil }
    let item = items[start]
    // Only the returned item retains the closure, so the captured objects are released when this
    // item has run, and not only when all items have run.
    items[start].work = {}
    start += 1
    if start == items.count {
      items.removeAll(keepingCapacity: true)
      start = 0
    }
    if let key = item.key { keys.remove(key) }
    cause = item.cause
    return item
  }

  /// Resets the chain of causes and the count of follow-ups for the next publication. Called when
  /// the queue is empty and the last item has run.
  mutating func end() { (cause, followUps) = (nil, 0) }
}
