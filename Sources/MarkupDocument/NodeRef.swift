/// The name of a node: never given twice within an epoch, so that whoever holds one holds that node or nothing.
///
/// The epoch is part of the name. Two documents of one view (a remount makes a new one) give the same numbers to
/// different nodes, and their names are still unequal.
public struct NodeRef: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Which mount of the view, from 1.
  public let epoch: Int
  /// Which node of it: 1 is the document, the rest in the order in which they were made.
  public let number: Int

  public init(epoch: Int, number: Int) {
    self.epoch = epoch
    self.number = number
  }

  /// In one step: nearly every table of nodes is of one epoch.
  public func hash(into hasher: inout Hasher) { hasher.combine(number ^ epoch << 40) }

  public static func < (a: NodeRef, b: NodeRef) -> Bool { (a.epoch, a.number) < (b.epoch, b.number) }

  public var description: String { String(number) }
}
