internal import MirrorSupport

/// What a node is, independent of its place. A `NodeTree` stores one for each of its nodes.
public enum NodeContent: Hashable, Sendable {
  /// The top of a tree. Every tree has exactly one.
  case root
  /// An element with its attributes.
  case element(Element)
  /// A run of characters, with character references decoded.
  case text(String)
  /// A comment, without `<!--` and `-->`. HEEx debug annotations are comments, so they are kept.
  case comment(String)
  /// `<?target data?>`, in `html` only.
  case processingInstruction(ProcessingInstruction)

  /// Equality that compares texts and attributes byte for byte, and the order of attributes too.
  func isIdentical(to other: NodeContent) -> Bool {
    switch (self, other) {
    case (.text(let a), .text(let b)), (.comment(let a), .comment(let b)): a.hasSameBytes(as: b)
    case (.processingInstruction(let a), .processingInstruction(let b)): a == b
    default: self == other
    }
  }

  /// The element; `nil` for other nodes.
  public var element: Element? {
    if case .element(let element) = self { element } else { nil }
  }
}

/// A processing instruction, such as `<?php echo 1; ?>`: its target `php` and its data `echo 1; `.
///
/// The HTML standard has had them since June 2026 (13.2.5.72 to 13.2.5.76); before that such markup
/// was a comment.
public struct ProcessingInstruction: Hashable, Sendable {
  // One string, since two would make every ``NodeContent``, and so every node, 8 bytes larger.
  private let content: String

  /// A processing instruction.
  ///
  /// - Parameters:
  ///   - target: a target without white space.
  ///   - data: the text after it.
  public init(target: String, data: String) { content = target + " " + data }

  /// The target, in the case of the source: ASCII letters, digits, `-` and `_`, beginning with a
  /// letter or `_`.
  public var target: String { String(content.unicodeScalars.prefix { $0 != " " }) }

  /// The characters between the white space after the target and the closing `>` or `?>`. Character
  /// references are not decoded.
  public var data: String { String(content.unicodeScalars.drop { $0 != " " }.dropFirst()) }

  /// Equality of the bytes, not of Unicode's canonical equivalents.
  public static func == (a: Self, b: Self) -> Bool { a.content.hasSameBytes(as: b.content) }
}

/// A tag with its attributes.
public struct Element: Hashable, Sendable {
  /// The name: lower-cased in `html` (except SVG's camel-cased names), unchanged in `native`.
  public var tag: String
  /// In source order, without duplicates. The order has no meaning: see ``sameAttributes(as:)``.
  public var attributes: [Attribute]
  /// HTML, SVG or MathML.
  // The last property, so that a type that stores an element can use the padding after it.
  public var namespace: Namespace

  /// An element with a tag and attributes.
  public init(tag: String, namespace: Namespace = .html, attributes: [Attribute] = []) {
    self.tag = tag
    self.namespace = namespace
    self.attributes = attributes
  }

  /// The value of an attribute; `nil` if it is absent.
  ///
  /// - Complexity: O(*attributes*).
  public subscript(name: String) -> String? {
    for attribute in attributes where attribute.name == name { return attribute.value }
    return nil
  }

  /// The `id`; `nil` if it is absent or empty, since an empty `id` identifies nothing.
  public var id: String? {
    guard let id = self["id"], !id.isEmpty else { return nil }
    return id
  }

  /// Whether two elements have the same attributes, in any order.
  public func sameAttributes(as other: Element) -> Bool {
    attributes == other.attributes || changes(to: other).isEmpty
  }

  /// The changes from this element's attributes to those of another element, ignoring their order.
  ///
  /// - Complexity: O(*attributes*).
  package func changes(to other: Element) -> [AttributeChange] {
    if attributes == other.attributes { return [] }
    let before = Dictionary(attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    var after = Dictionary(other.attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    var changes: [AttributeChange] = []
    for attribute in attributes {
      let value = after.removeValue(forKey: attribute.name)
      if value?.hasSameBytes(as: attribute.value) != true {
        changes.append(.init(name: attribute.name, before: attribute.value, after: value))
      }
    }
    for attribute in other.attributes where before[attribute.name] == nil {
      changes.append(.init(name: attribute.name, before: nil, after: attribute.value))
    }
    return changes
  }

  /// Applies changes found by ``changes(to:)``. New attributes are appended in the order of the
  /// changes.
  ///
  /// - Complexity: O(*attributes* + *changes*).
  mutating func apply(_ changes: [AttributeChange]) {
    // For few changes a linear search is faster than a table.
    if changes.count * attributes.count <= Self.searchedPairs { return changes.forEach { apply($0) } }
    var values = Dictionary(changes.map { ($0.name, $0.after) }, uniquingKeysWith: { $1 })
    attributes = attributes.compactMap { attribute in
      guard let value = values.removeValue(forKey: attribute.name) else { return attribute }
      return value.map { Attribute(attribute.name, $0) }
    }
    for change in changes {
      guard let value = values.removeValue(forKey: change.name) ?? nil else { continue }
      attributes.append(Attribute(change.name, value))
    }
  }

  /// The largest product of changes and attributes for which a linear search is used.
  private static let searchedPairs = 64

  private mutating func apply(_ change: AttributeChange) {
    switch (attributes.firstIndex { $0.name == change.name }, change.after) {
    case (let index?, let value?): attributes[index].value = value
    case (let index?, nil): attributes.remove(at: index)
    case (nil, let value?): attributes.append(Attribute(change.name, value))
    case (nil, nil): break
    }
  }
}

extension Element {
  /// A name and a value. An attribute written without a value has the empty string.
  public struct Attribute: Hashable, Sendable {
    /// The name, lower-cased in `html`.
    public var name: String
    /// The value, with character references decoded.
    public var value: String

    /// An attribute with a name and a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Equality of the bytes of the value, not of Unicode's canonical equivalents.
    public static func == (a: Self, b: Self) -> Bool {
      a.name == b.name && a.value.hasSameBytes(as: b.value)
    }
  }
}

/// The namespace of an element. The `native` dialect has none and uses `html`.
public enum Namespace: UInt8, Sendable {
  case html, svg, mathML
}

extension NodeContent {
  /// Whether the content is white space or a comment that HEEx writes for tools. Trees and logs
  /// without them are easier to read.
  package var isSeldomOfInterest: Bool {
    switch self {
    case .text(let text): text.utf8.allSatisfy(\.isASCIIWhitespace)
    case .comment(let comment): Self.isAnnotation(comment)
    case .root, .element, .processingInstruction: false
    }
  }

  /// Whether a comment is an annotation such as ` @caller lib/app/live.ex:12 (app) `, `
  /// <AppWeb.Core.button> lib/app/core.ex:5 (app) ` or ` </AppWeb.Core.button> ` (LiveView ≥ 1.0,
  /// `debug_heex_annotations`).
  private static func isAnnotation(_ comment: String) -> Bool {
    comment.hasPrefix(" @caller ") || (comment.hasPrefix(" <") && comment.contains("> "))
  }
}

extension Element.Attribute {
  /// Whether LiveView writes the attribute for its client or for tools, such as `data-phx-loc`.
  package var isSeldomOfInterest: Bool { name.hasPrefix("data-phx-") }
}
