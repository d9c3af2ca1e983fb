internal import MirrorSupport

/// The constant strings of a template: *n* strings around *n* - 1 slots.
///
/// A class, so that all entries of a comprehension, and all components with the same template, share one object.
package final class Statics: Sendable {
  package let parts: [String]

  package init(_ parts: [String]) { self.parts = parts }

  /// The number of slots between the strings.
  package var slotCount: Int { max(0, parts.count - 1) }
}

extension Statics: Equatable {
  package static func == (a: Statics, b: Statics) -> Bool {
    a === b || (a.parts.count == b.parts.count && zip(a.parts, b.parts).allSatisfy { $0.hasSameBytes(as: $1) })
  }
}
