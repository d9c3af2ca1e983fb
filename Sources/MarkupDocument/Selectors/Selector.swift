/// A CSS selector list (Selectors Level 4), as far as portals, `JS` commands and `phx-target` use
/// it.
///
/// A compound may have a tag or `*`, `#id`, `.class`, `[name]`, `[name=value]` with the operators
/// `^=`, `$=`, `*=`, `~=` and `|=`, `:not(…)`, `:nth-child(…)`, and the pseudo-classes of
/// ``PseudoClass``. Compounds are combined by white space, `>`, `+` and `~`, in lists separated by
/// commas.
///
/// ```swift
/// if let selector = Selector("#todo > li:first-of-type button") { document.allNodes(matching: selector) }
/// ```
package struct Selector: Sendable {
  /// Compounds from left to right. Each has the combinator that connects it with the one before.
  typealias Complex = [Compound]

  struct Compound: Sendable, Hashable {
    var combinator = Combinator.descendant
    var tests: [Test] = []
  }

  enum Combinator: Sendable, Hashable { case descendant, child, next, later }

  enum Test: Sendable, Hashable {
    case any
    /// In lower case.
    case tag(String)
    case attribute(name: String, AttributeTest)
    case pseudo(PseudoClass)
    /// The *step* · n + *offset*th child element, for any n ≥ 0.
    case nthChild(step: Int, offset: Int)
    /// No compound of the list may match.
    case not([Compound])
  }

  enum AttributeTest: Sendable, Hashable {
    case present
    case equal(String)
    case prefix(String)
    case suffix(String)
    case contains(String)
    /// One of the words that white space separates.
    case word(String)
    /// The value, or a beginning of it that a hyphen follows.
    case language(String)
  }

  /// The supported pseudo-classes. `checked`, `disabled` and `enabled` look at the element's own
  /// attributes.
  enum PseudoClass: String, Sendable, CaseIterable {
    case firstChild = "first-child"
    case lastChild = "last-child"
    case onlyChild = "only-child"
    case firstOfType = "first-of-type"
    case lastOfType = "last-of-type"
    case empty, checked, disabled, enabled
  }

  let complexes: [Complex]
  /// Whether a test may depend on the tags of an element's siblings or on the element's content.
  /// Matching collects both only then.
  let isPositional: Bool

  /// How many tests one element can need. Each compound counts as one test, in addition to its own
  /// tests.
  package var testCount: Int { complexes.reduce(0) { $0 + Self.testCount($1) } }

  private static func testCount(_ compounds: [Compound]) -> Int {
    compounds.reduce(compounds.count) { count, compound in
      compound.tests.reduce(count) { if case .not(let inner) = $1 { $0 + testCount(inner) } else { $0 + 1 } }
    }
  }

  /// The maximum number of compounds in one selector of the list: a set of compounds is stored in
  /// the bits of one `UInt64`.
  static let mostCompounds = 64

  /// The maximum number of bytes of a selector. It bounds the depth to which the reader recurses
  /// for `:not`, and the time to test one element.
  package static let longestText = 2_000

  /// - Returns: `nil` if the text is not a selector, uses syntax that is not supported, or is
  ///   longer than ``longestText``.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longestText, let complexes = SelectorReader.read(text).list,
      complexes.allSatisfy({ $0.count <= Self.mostCompounds })
    else { return nil }
    self.complexes = complexes
    isPositional = complexes.contains { $0.contains { $0.tests.contains(where: \.isPositional) } }
  }

  /// The number of characters before the first one that cannot belong to a selector; `nil` if the
  /// text is a selector.
  ///
  /// - Complexity: O(*text*), bounded by ``longestText``.
  package static func fault(in text: String) -> Int? {
    if Selector(text) != nil { return nil }
    if text.utf8.count > longestText { return String(decoding: text.utf8.prefix(longestText), as: UTF8.self).count }
    return text.count - SelectorReader.read(text).rest.count
  }
}
