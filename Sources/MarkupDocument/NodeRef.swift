/// The reference of a node. A reference is never reused within an epoch: it denotes that node or,
/// once the node is removed, no node. Change sets, subscribers and the log name nodes by it.
///
/// The epoch is part of the reference. A remount creates a new document that numbers its nodes from
/// the start again; references to nodes of the two documents are unequal nevertheless.
public struct NodeRef: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The mount of the view, from 1.
  public let epoch: Int
  /// The number of the node in its epoch: 1 is the root, other nodes are numbered in the order of
  /// their creation.
  public let number: Int

  /// The node `number` of a mount.
  public init(epoch: Int, number: Int) {
    self.epoch = epoch
    self.number = number
  }

  /// Inlined in every module, because the look-up of a node dominates the cost of a signal.
  @inlinable public static func == (a: NodeRef, b: NodeRef) -> Bool { a.number == b.number && a.epoch == b.epoch }

  /// Combines both numbers into one word. Numbers below 2^40 do not overlap with the epoch, and
  /// nearly all tables hold nodes of one epoch only, so this costs no collisions.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number ^ epoch << 40) }

  /// By epoch, then by number.
  public static func < (a: NodeRef, b: NodeRef) -> Bool { (a.epoch, a.number) < (b.epoch, b.number) }

  /// The number alone.
  public var description: String { String(number) }
}
