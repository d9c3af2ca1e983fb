/// What waits for the publication of a thread to end: first come, first run.
struct DeferredWork {
  struct Item {
    var cause: Cause
    var key: AnyHashable?
    var work: () -> Void
  }

  /// Why an item runs: its own label, and what put it off.
  final class Cause {
    let label: String
    let parent: Cause?
    let depth: Int

    init(label: String, parent: Cause?) {
      self.label = label
      self.parent = parent
      depth = (parent?.depth ?? 0) + 1
    }

    /// The labels from the first one to this.
    var chain: [String] {
      var labels: [String] = []
      var cause: Cause? = self
      while let step = cause {
        labels.append(step.label)
        cause = step.parent
      }
      return labels.reversed()
    }

    // A chain is short, ``Publication/maximumDepth``, so it is let go without care for the stack.
  }

  private var items: [Item] = []
  /// How many of them have run.
  private var start = 0
  /// Of those that wait.
  private var keys: Set<AnyHashable> = []
  /// Of the item that runs.
  private var cause: Cause?
  /// How many were put off by others that were, since nothing waited.
  private var followUps = 0

  var isEmpty: Bool { start == items.count }

  /// Takes an item in. One with a key that waits already is not taken again: the first will do.
  ///
  /// - Throws: where the item that runs is ``Publication/maximumDepth`` deep, or where
  ///   ``Publication/maximumFollowUps`` were put off by others that were: a cascade that branches is long before it is
  ///   deep.
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

  /// The next item, which runs from now on.
  mutating func next() -> Item? {
    guard start < items.count else { return nil }
    let item = items[start]
    // What it holds is let go when it has run, not when all have.
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

  /// Nothing runs any more.
  mutating func end() { (cause, followUps) = (nil, 0) }
}
