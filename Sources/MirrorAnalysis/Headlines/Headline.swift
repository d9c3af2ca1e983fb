package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// What an update did, as one sentence in the words of the page:
/// `Clicking reverse moved 2 of 3 todos`.
///
/// It is the first line of a diff in the inspector, and `headline` in JSON. It contains neither
/// node numbers nor slots, which the list of the changes has. Changes of white space and of HEEx's
/// comments do not count.
package struct Headline: Sendable {
  /// A run of words. Names and quotes are the page's own words.
  package enum Run: Sendable, Hashable {
    case words(String)
    /// What the user acted on, or an event.
    case name(String)
    /// A text of the page.
    case quote(String)
  }

  package let runs: [Run]
  /// The element with which the user caused the update, if it is known.
  package let actedNode: NodeRef?

  /// The sentence without a full stop: `The server changed “3 todos” to “4 todos”`.
  package var text: String {
    runs.map { run in
      switch run {
      case .words(let text), .name(let text): text
      case .quote(let text): "“\(text)”"
      }
    }.joined()
  }

  /// - Parameters:
  ///   - document: the document after the update.
  ///   - before: gives the document before the update. It is only called if the update removed
  ///     nodes or changed attributes, because the element of the event may be one of these.
  /// - Complexity: O(*nodes* + *changes*).
  package init(of record: ChangeRecord, in document: Document, before: () -> Document?) {
    let changes = record.changeSet.all
    let acted = record.cause.flatMap { cause -> ActedElement? in
      guard changes.contains(where: \.replacesContent) else {
        return ActedElement(of: cause, in: document, undoing: changes)
      }
      return before().flatMap { ActedElement(of: cause, in: $0) }
    }
    actedNode = acted?.node.flatMap { document.contains($0) ? $0 : nil }
    if record.version == 0 {
      let count = Formatted.count(record.nodeCount, "node")
      runs = [.words("The page was \(record.epoch > 1 ? "mounted again" : "mounted") with \(count)")]
      return
    }
    runs = Self.subject(record.cause, acted) + [.words(" ")] + Effects(of: record, in: document).runs
  }

  // MARK: - The subject

  private static func subject(_ cause: UpdateCause?, _ acted: ActedElement?) -> [Run] {
    guard let cause else { return [.words("The server")] }
    guard let type = cause.type else {
      return cause.event == "live_patch" ? [.words("Navigating")] : [.words("The client’s "), .name(cause.event)]
    }
    switch type {
    case "click":
      return [.words(acted?.binding == "click-away" ? "Clicking outside of " : "Clicking ")] + name(of: acted, cause)
    case "form":
      guard let acted else { return [.words("The form event "), .name(cause.event)] }
      let verb = acted.binding == "submit" ? "Submitting" : "Editing"
      guard acted.tag == "form" else { return [.words("\(verb) ")] + name(of: acted, cause) }
      if acted.words == nil { return [.words("\(verb) "), .name("the form"), .words(" (\(cause.event))")] }
      if acted.binding == "submit" { return [.words("\(verb) ")] + name(of: acted, cause) }
      return [.words("\(verb) the ")] + name(of: acted, cause) + [.words(" form")]
    case "keydown", "keyup":
      let key = cause.value.flatMap { JSON(parsing: $0)?.members?["key"]?.text }
      guard let words = key == " " ? "Space" : key?.words else { return [.words("A key for "), .name(cause.event)] }
      return [.words("Pressing "), .name(words)]
    case "focus":
      return acted?.binding == "window-focus"
        ? [.words("Focusing the window")] : [.words("Focusing ")] + name(of: acted, cause)
    case "blur":
      return acted?.binding == "window-blur"
        ? [.words("Leaving the window")] : [.words("Leaving ")] + name(of: acted, cause)
    default: return [.words("The \(type)’s event "), .name(cause.event)]
    }
  }

  /// The words of the element. If they are only a sign, such as `×`, the name of the event follows.
  /// If the element is in a list item or row, a text of that item follows, because other items may
  /// have the same element.
  private static func name(of acted: ActedElement?, _ cause: UpdateCause) -> [Run] {
    guard let acted, let words = acted.words else { return [.name(cause.event)] }
    let event: [Run] = words.count > 2 || words == cause.event ? [] : [.words(" (\(cause.event))")]
    let item: [Run] = acted.item.map { [.words(" in "), .quote($0)] } ?? []
    return [.name(words)] + event + item
  }
}

// MARK: - The effects

/// The changes of an update, grouped by what they did and by the words for their elements.
private struct Effects {
  /// `moved 2 of 3 todos and changed “3 todos” to “4 todos”`.
  private(set) var runs: [Headline.Run] = []

  private static let mostPhrases = 3
  private static let longestQuote = 40

  private enum Verb: String, CaseIterable { case moved, added, removed, changed }

  /// Changes that one phrase names.
  private struct Group: Hashable {
    let verb: Verb
    let noun: ElementNoun
  }

  private let record: ChangeRecord
  private let document: Document

  init(of record: ChangeRecord, in document: Document) {
    (self.record, self.document) = (record, document)
    var groups: [Group: [Change]] = [:]
    var order: [Group] = []
    for change in record.changeSet.changes where !change.isSeldomOfInterest {
      let group = group(of: change)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(change)
    }
    let ranks = Dictionary(uniqueKeysWithValues: Verb.allCases.enumerated().map { ($1, $0) })
    // The largest group comes first. Groups of one size are in the order of the verbs, then of
    // their first changes.
    let sorted = order.enumerated().sorted { a, b in
      let (left, right) = (groups[a.element, default: []].count, groups[b.element, default: []].count)
      if left != right { return left > right }
      return (ranks[a.element.verb] ?? 0, a.offset) < (ranks[b.element.verb] ?? 0, b.offset)
    }.map(\.element)
    var phrases: [[Headline.Run]] = []
    var last: Verb?
    for group in sorted.prefix(Self.mostPhrases) {
      let words = phrase(group, groups[group, default: []])
      phrases.append(group.verb == last ? words : [.words("\(group.verb.rawValue) ")] + words)
      last = group.verb
    }
    let rest = sorted.dropFirst(Self.mostPhrases).reduce(0) { $0 + groups[$1, default: []].count }
    if rest > 0 { phrases.append([.words("made \(Formatted.count(rest, "other change"))")]) }
    if let title = record.title?.words { phrases.append([.words("set the page’s title to "), .quote(title)]) }
    if phrases.isEmpty { phrases = [[.words(Self.unseen(record))]] }
    for (position, phrase) in phrases.enumerated() {
      if position > 0 { runs.append(.words(position == phrases.count - 1 ? " and " : ", ")) }
      runs += phrase
    }
  }

  /// The phrase for an update without a visible change.
  private static func unseen(_ record: ChangeRecord) -> String {
    let events = record.events.flatMap { JSON(parsing: $0)?.elements } ?? []
    if events.count == 1, let name = events[0].elements?.first?.text?.words { return "sent the event \(name)" }
    if !events.isEmpty { return "sent \(Formatted.count(events.count, "event"))" }
    return record.changeSet.isEmpty ? "changed nothing" : "changed only white space and comments"
  }

  private func group(of change: Change) -> Group {
    func noun(_ name: DisplayName, in parent: NodeRef) -> ElementNoun {
      guard let tag = name.tag else { return ElementNoun(word: name == .comment ? "comment" : "text") }
      return ElementNoun(tag, in: record.displayName(of: parent))
    }
    switch change {
    case .move(_, let name, _, let to): return Group(verb: .moved, noun: noun(name, in: to.parent))
    case .add(let subtree, let position):
      return Group(verb: .added, noun: noun(subtree.displayName, in: position.parent))
    case .remove(_, let position, let name): return Group(verb: .removed, noun: noun(name, in: position.parent))
    case .text(_, let parent, _, _):
      let noun = record.displayName(of: parent)?.tag.map { ElementNoun($0) }
      return Group(verb: .changed, noun: noun.flatMap { $0.isVague ? nil : $0 } ?? ElementNoun(word: "text"))
    case .attributes(let node, let tag, _):
      let list = document.parent(of: node).flatMap { document.content(of: $0) }.map { DisplayName($0) }
      return Group(verb: .changed, noun: ElementNoun(tag, in: list))
    }
  }

  /// The words after the verb.
  private func phrase(_ group: Group, _ changes: [Change]) -> [Headline.Run] {
    let (noun, count) = (group.noun, changes.count)
    let siblings = Siblings(of: changes, record, document)
    switch group.verb {
    case .moved:
      let all = siblings?.after ?? count
      let share = all == count ? "" : "\(Formatted.grouped(count)) of "
      return [.words("\(share)\(noun.count(all))")]
    case .added:
      if noun.isVague, let quote = Self.onlyText(of: changes) { return [.quote(quote)] }
      let now = siblings.flatMap { $0.before > 0 ? " (now \(Formatted.grouped($0.after)))" : nil }
      return [.words("\(noun.count(count))\(now ?? "")")]
    case .removed:
      guard let siblings, siblings.before > count else {
        return [.words("\(siblings != nil && count > 1 ? "all " : "")\(noun.count(count))")]
      }
      return [.words("\(Formatted.grouped(count)) of \(noun.count(siblings.before))")]
    case .changed: return changed(changes, noun)
    }
  }

  /// The text of the only added node, if it is short.
  private static func onlyText(of changes: [Change]) -> String? {
    guard changes.count == 1, case .add(let subtree, _) = changes[0] else { return nil }
    var texts: [String] = []
    for node in subtree.nodes { if case .text(let text) = node.content { texts.append(text) } }
    return texts.joined(separator: " ").words.flatMap { $0.count <= longestQuote ? $0 : nil }
  }

  /// `“3” to “4”` for one text, `the class of 2 rows`, otherwise `3 cells`.
  private func changed(_ changes: [Change], _ noun: ElementNoun) -> [Headline.Run] {
    if changes.count == 1, case .text(_, _, let before, let after) = changes[0], let before = before.words,
      let after = after.words, max(before.count, after.count) <= Self.longestQuote, before != after
    {
      return [.quote(before), .words(" to "), .quote(after)]
    }
    var names: Set<String> = []
    for change in changes {
      if case .attributes(_, _, let attributes) = change {
        names.formUnion(attributes.map(\.name))
      } else {
        names.insert("")
      }
    }
    let nodes = Set(
      changes.map { change in
        if case .text(_, let parent, _, _) = change { parent } else { change.node }
      })
    let elements = noun.count(nodes.count)
    guard names.count == 1, let name = names.first, !name.isEmpty else { return [.words(elements)] }
    if let state = Self.states[name] {
      return [.words("whether \(elements) \(nodes.count == 1 ? "is" : "are") \(state)")]
    }
    return [.words("the \(name) of \(elements)")]
  }

  /// Attributes without a value, as adjectives.
  private static let states = [
    "checked": "checked", "disabled": "disabled", "hidden": "hidden", "open": "open", "readonly": "read-only",
    "required": "required", "selected": "selected",
  ]
}

/// The number of children of one parent that have the tag of some changed elements, before and
/// after an update.
private struct Siblings {
  let before: Int
  let after: Int

  /// `nil` if the changed nodes have no common parent or tag.
  ///
  /// - Complexity: O(*children of the parent* + *changes of the record*).
  init?(of changes: [Change], _ record: ChangeRecord, _ document: Document) {
    let places = Set(changes.flatMap(\.parents))
    let tags = Set(changes.map { $0.displayName?.tag })
    guard places.count == 1, tags.count == 1, let tag = tags.first ?? nil, let parent = places.first,
      let place = document.treeIndex(of: parent)
    else { return nil }
    after = document.tree.children(of: place).count { document.tree[$0].element?.tag == tag }
    var before = after
    for change in record.changeSet.changes where change.displayName?.tag == tag {
      switch change {
      case .add(_, let position) where position.parent == parent: before -= 1
      case .remove(_, let position, _) where position.parent == parent: before += 1
      case .move(_, _, let from, let to) where from.parent != to.parent:
        before += (from.parent == parent ? 1 : 0) - (to.parent == parent ? 1 : 0)
      default: break
      }
    }
    self.before = before
  }
}

extension Change {
  /// Whether nodes or attributes from before the change are not in the document after it.
  fileprivate var replacesContent: Bool {
    switch self {
    case .remove, .attributes: true
    case .text, .add, .move: false
    }
  }

  /// The name of an added, removed or moved node; `nil` for other changes.
  fileprivate var displayName: DisplayName? {
    switch self {
    case .add(let subtree, _): subtree.displayName
    case .remove(_, _, let name), .move(_, let name, _, _): name
    case .text, .attributes: nil
    }
  }
}

extension ViewState {
  /// The headline of a record of this epoch; `nil` if the version is not kept any more.
  package func headline(of record: ChangeRecord) -> Headline? {
    document(at: record.version).map { document in
      Headline(of: record, in: document) { self.document(at: record.version - 1) }
    }
  }
}
