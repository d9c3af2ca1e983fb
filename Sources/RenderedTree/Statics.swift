/// The strings around the dynamics of a template: `n` strings stand around `n - 1` slots.
///
/// A class, so that every entry of a comprehension and every component that shares a template shares one object.
package final class Statics: Sendable {
  package let parts: [String]
  /// What the stages behind this module read in the strings, made once. Updates of one view write it, and those come one at
  /// a time; nobody else reads it.
  package nonisolated(unsafe) var template: (any AnyObject & Sendable)?

  package init(_ parts: [String]) { self.parts = parts }

  /// How many slots stand between the strings.
  package var slotCount: Int { max(0, parts.count - 1) }
}

extension Statics: Equatable {
  package static func == (a: Statics, b: Statics) -> Bool {
    a === b || (a.parts.count == b.parts.count && zip(a.parts, b.parts).allSatisfy { $0.hasSameBytes(as: $1) })
  }
}
