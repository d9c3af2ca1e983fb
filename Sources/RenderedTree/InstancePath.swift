/// The path to an instance of a template: a fragment, an entry of a comprehension, or a component.
/// It starts at the page's root or at the component that contains the instance. An ``Edit`` names
/// the changed instance by its path, and a scoped update uses the path to find the instance's
/// nodes.
///
/// Paths are linked lists that share their prefixes: a diff that changes *n* entries below *d*
/// nested fragments allocates *n* + *d* steps.
package struct InstancePath: Hashable, Sendable {
  /// One level of a path: a slot, and an entry if the slot holds a comprehension.
  package struct Step: Hashable, Sendable {
    private let rawSlot: Int32
    /// -1 if the slot does not hold a comprehension.
    private let rawEntry: Int32

    package var slot: Int { Int(rawSlot) }
    /// The index of the entry; `nil` if the slot does not hold a comprehension.
    package var entry: Int? { rawEntry < 0 ? nil : Int(rawEntry) }

    package init(slot: Int, entry: Int? = nil) {
      rawSlot = Int32(clamping: slot)
      rawEntry = Int32(clamping: entry ?? -1)
    }
  }

  /// The last step of a path, and the link before it.
  private final class Link: Sendable {
    let before: Link?
    let step: Step
    let count: Int32
    /// The hash of all steps up to this one, so that hashing a path is O(1).
    let hash: Int

    init(_ before: Link?, _ step: Step) {
      (self.before, self.step) = (before, step)
      count = (before?.count ?? 0) + 1
      let mixed = ((before?.hash ?? 0) ^ (step.slot << 32 | (step.entry ?? -1) & 0xFFFF_FFFF)) &* 0x1E37_79B9_7F4A_7C15
      hash = mixed ^ (mixed >> 32)
    }
  }

  /// The component in which the path starts; `nil` for the page's root.
  package let component: Int?
  private let last: Link?

  package init(component: Int? = nil) { self.init(component, nil) }

  private init(_ component: Int?, _ last: Link?) { (self.component, self.last) = (component, last) }

  /// - Complexity: O(1).
  package func appending(_ step: Step) -> InstancePath { InstancePath(component, Link(last, step)) }

  /// The number of steps.
  package var count: Int { Int(last?.count ?? 0) }

  /// - Complexity: O(*steps*).
  package var steps: [Step] {
    if last == nil { return [] }
    var steps: [Step] = []
    steps.reserveCapacity(count)
    var link = last
    while let step = link {
      steps.append(step.step)
      link = step.before
    }
    steps.reverse()
    return steps
  }

  /// The path of the first `count` steps.
  ///
  /// - Complexity: O(*removed steps*).
  package func prefix(_ count: Int) -> InstancePath {
    var link = last
    while let step = link, step.count > count { link = step.before }
    return InstancePath(component, link)
  }

  /// Splits off the last `count` steps, or all if there are fewer.
  ///
  /// - Complexity: O(*count*).
  func split(last count: Int) -> (beginning: InstancePath, end: [Step]) {
    var (end, link): ([Step], Link?) = ([], last)
    while end.count < count, let step = link {
      end.append(step.step)
      link = step.before
    }
    end.reverse()
    return (InstancePath(component, link), end)
  }

  /// The steps that follow `beginning`.
  ///
  /// - Returns: `nil` if this path was not made by appending to `beginning`, or if more than
  ///   `count` steps follow.
  /// - Complexity: O(*count*).
  func steps(behind beginning: InstancePath, atMost count: Int) -> [Step]? {
    guard component == beginning.component else { return nil }
    var (end, link): ([Step], Link?) = ([], last)
    while link !== beginning.last {
      guard end.count < count, let step = link else { return nil }
      end.append(step.step)
      link = step.before
    }
    end.reverse()
    return end
  }

  /// - Complexity: O(1) for paths with the same links or with different hashes, otherwise
  ///   O(*steps*).
  package static func == (one: Self, other: Self) -> Bool {
    guard one.component == other.component, one.count == other.count, one.last?.hash == other.last?.hash else {
      return false
    }
    var (left, right) = (one.last, other.last)
    while let step = left, let twin = right, step !== twin {
      if step.step != twin.step { return false }
      (left, right) = (step.before, twin.before)
    }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(component)
    hasher.combine(last?.hash ?? 0)
  }
}
