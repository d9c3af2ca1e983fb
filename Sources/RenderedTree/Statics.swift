internal import MirrorSupport

/// The constant strings of a template: *n* strings around *n* - 1 slots. ``WireDecoder`` makes one
/// for each array of strings in an update.
///
/// A class, so that all entries of a comprehension, and all components with the same template,
/// share one object.
package final class Statics: Sendable {
  package let parts: [String]

  package init(_ parts: [String]) { self.parts = parts }

  /// The number of slots between the strings.
  package var slotCount: Int { max(0, parts.count - 1) }
}

extension Statics: Hashable {
  /// Equality of the bytes of all strings.
  package static func == (a: Statics, b: Statics) -> Bool {
    a === b || (a.parts.count == b.parts.count && zip(a.parts, b.parts).allSatisfy { $0.hasSameBytes(as: $1) })
  }

  /// - Complexity: O(*bytes*).
  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.count)
    for part in parts { hasher.combine(part.byteHash) }
  }
}

extension Statics {
  /// An order of templates that is the same in every process.
  package static func precedes(_ a: Statics, _ b: Statics) -> Bool {
    for (one, other) in zip(a.parts, b.parts) where !one.hasSameBytes(as: other) {
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return a.parts.count < b.parts.count
  }
}
