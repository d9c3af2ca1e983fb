package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport

/// An update in the terms of LiveView's protocol: a tree of its parts, with the size of each part
/// and the changes that it caused. `GET /views/{view}/log/{version}?explain=true` answers with it,
/// and `ViewPage` shows it in the tab *Diff*.
///
/// ```
/// diff  23 B  diff: 2 slots
///   0  3 B  text  "1"  → ~ 3
///   1  6 B  text  "same"  ! sent without effect
/// ```
///
/// A part is a value of the update's JSON. Its size is that of the value as text, without the name
/// of the member, as in ``ChangeRecord/Waste``. So the sizes of the children of a part never add up
/// to more than the size of the part; the difference is names and punctuation. The JSON is that of
/// ``ChangeRecord/input``.
///
/// The explanation is bounded: at most ``Limits/parts`` parts, whatever the size of the update.
/// Parts that caused changes are preferred, see ``Limits/usualParts``.
package struct DiffExplanation: Sendable {
  /// The part for the whole update.
  package let root: Part
  /// The number of parts in the tree.
  package let count: Int
  /// The number of slots that were sent without effect, but are not marked: the record lists only
  /// the first such slots.
  package let unmarkedWaste: Int
  /// The changes to which ``Part/changes`` refer.
  package let changeSet: ChangeSet

  /// A value of the update.
  package struct Part: Sendable, Hashable {
    /// The path in the update, as in ``ChangeRecord/slots``: `0.3`, `2.k.4`, `c.7.0`,
    /// `2.stream.1.0`. Empty for the whole update.
    package var path: String
    package var kind: Kind
    /// One phrase: `list: 1 of 400 entries sent, 2 moved`.
    package var summary: String
    /// The size of the value in ``ChangeRecord/input``, in bytes, without its name.
    package var bytes: Int
    /// The beginning of a value without children: the characters of a text or title, and the JSON
    /// of other values. At most ``Limits/excerpt`` characters, then `…`.
    package var value: String?
    /// The changes that this part caused, as indexes in the record's change set; at most
    /// ``Limits/changes``. The changes of its children are not among them, unless the children are
    /// not listed.
    package var changes: [Int] = []
    /// The number of changes beyond those in ``changes``.
    package var moreChanges = 0
    /// The nodes of ``changes``, each once.
    package var nodes: [NodeRef] = []
    /// Whether the tree had this value already. For a part with children: whether this is true of
    /// every child.
    package var isWaste = false
    /// In the order of the JSON.
    package var children: [Part] = []
    /// The number of children that are not listed.
    package var more = 0
  }

  /// A term of the protocol.
  package enum Kind: String, Sendable, CaseIterable {
    /// The whole update.
    case diff, rendered
    /// `s`: the strings between the slots.
    case statics
    /// `p`: strings that several fragments use.
    case templates
    /// One member of `p`; also a number as `s`, which names such a member.
    case template
    /// The value of a slot. An empty text is `empty`; a number is `shows-component`.
    case text, empty
    case showsComponent = "shows-component"
    /// A fragment in a slot.
    case nested
    /// A comprehension in a slot, and its entries: `k` (LiveView ≥ 1.1) or `d` (LiveView 1.0).
    case list, keyed, entries
    /// One entry. In `k`, a number is an entry that moved, and `[former index, diff]` is an entry
    /// that moved and changed.
    case entry, moved
    case movedAndChanged = "moved-and-changed"
    /// `kc`: the number of entries. `km`: whether entries moved.
    case count
    case moves
    /// `"r": 1`: the fragment is a function component with one root element.
    case root
    /// `c`, and one of its components.
    case components, component
    /// A number as `s` of a component: it names another component, whose statics and slots this
    /// component has too.
    case clone
    /// `stream` and its operations.
    case stream, insert, delete, reset
    /// `e`, and one of its events.
    case events, event
    /// `r` at the top: the reply to the client's event.
    case reply
    /// `t`: the title of the page.
    case title
    /// A key that no LiveView up to 1.2 sends.
    case unknown
  }

  package enum Limits {
    /// The maximum number of parts.
    package static let parts = 2_000
    /// After this number of parts, a numbered part, such as a slot or an entry, is added only if
    /// the record names it, or a slot in it, as a cause or as waste.
    static let usualParts = 1_500
    /// The maximum number of numbered children of one part, not counting those that the record
    /// names.
    static let children = 200
    /// The maximum number of steps in a path. Deeper parts are counted as one part.
    static let steps = SlotPathCache.maximumSteps
    /// The maximum number of characters of an excerpt.
    package static let excerpt = 80
    /// The maximum number of changes of a part.
    package static let changes = 200
  }

  /// Explains the update of a record.
  ///
  /// - Parameter view: the state of the record's view in the same epoch. With it, the summary of a
  ///   list says how LiveView identifies the entries: by key, by index or by id.
  /// - Complexity: O(*bytes of the update* + *changes*).
  package init(_ record: ChangeRecord, in view: ViewState? = nil) {
    var parts = PartList(
      of: JSONPositions(record.input), isMount: record.version == 0, named: SlotTrie(of: record), in: view)
    parts.expand()
    (root, count) = (parts.tree(for: record), parts.count)
    (unmarkedWaste, changeSet) = (record.waste.more, record.changeSet)
  }
}
