internal import RenderedTree

/// The templates of a view's slots. Equal templates are kept once. A template stays here after the
/// Rendered has dropped it, so the size of all templates is bounded.
///
/// ``SlotTree`` has one. ``endDiff()`` must be called after each diff: the next diff can make the
/// Rendered drop a `Statics` object, and a new object can then have the same `ObjectIdentifier`.
struct KeptTemplates: Sendable {
  /// The maximum size of all templates in bytes. Later templates are not kept.
  static let maximumBytes = 1 << 21

  private(set) var all: Set<Statics> = []
  /// The results of ``keep(_:)`` for the objects of the current diff. The Rendered holds these
  /// objects until the next diff, so their identifiers are unique. With these results, each further
  /// component that shares a large template takes O(1).
  private var current: [ObjectIdentifier: Statics?] = [:]
  /// The size of all templates in bytes.
  private(set) var bytes = 0

  init() {}

  /// - Parameter all: templates that an earlier table has kept.
  init(keeping all: Set<Statics>) {
    self.all = all
    bytes = all.reduce(0) { $0 + Self.size(of: $1) }
  }

  /// Forgets the objects of the current diff.
  mutating func endDiff() { if !current.isEmpty { current = [:] } }

  /// The kept template with the same strings.
  ///
  /// - Returns: `nil` if the template is not kept because of the bound.
  /// - Complexity: O(*bytes*) for an object that is new in this diff, otherwise O(1).
  mutating func keep(_ statics: Statics) -> Statics? {
    if let known = current[ObjectIdentifier(statics)] { return known }
    let size = Self.size(of: statics)
    var kept: Statics?
    if size <= Self.maximumBytes { kept = all.firstIndex(of: statics).map { all[$0] } }
    if kept == nil, size <= Self.maximumBytes - bytes {
      all.insert(statics)
      bytes += size
      kept = statics
    }
    current[ObjectIdentifier(statics)] = .some(kept)
    return kept
  }

  private static func size(of statics: Statics) -> Int { statics.parts.reduce(0) { $0 + $1.utf8.count + 32 } }
}
