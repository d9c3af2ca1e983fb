internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The state that all parts of one scoped update share: the merged tree, the document before the
/// update, and what the parts have used so far: node numbers, ids and components (``Claims``), and
/// work. ``ViewState`` makes one for each scoped update that is not a ``SlotUpdate``.
///
/// A class, because all parts change it. A context must not outlive
/// ``ScopedUpdate/compute(_:of:in:)``: it retains the tree and the document, so while the context
/// exists, a change of either would copy it.
final class ScopedContext {
  /// The tree, with the diff merged into it.
  let rendered: Rendered
  /// The document before the update.
  let document: Document
  let templates: TemplateTable
  /// The containers of streams with leftovers; see ``ViewState/leftovers``.
  let leftovers: Set<NodeRef>
  /// The version of the client that patches the page.
  let client: ClientVersion
  /// The slots that the diff names: the causes of the changes.
  let touched: TouchedSlots
  /// Finds the touched slots by their place in the tree. Empty if only one slot has changed,
  /// because no search is needed then: this slot causes every change.
  private(set) lazy var touchedIndex =
    touched.changedCount < 2 ? .none : TouchedSlots.Index(touched, isBefore: isBefore)
  /// Slots whose content may have been elsewhere in the page before the update. The nodes of such
  /// content must not be used as the boundary of a region: in the document, they may still be
  /// elsewhere.
  let movedSlots: Set<SlotAddress>
  /// The number of the next new node.
  private(set) var nextNumber: Int
  /// The ids and components of the parts.
  var claims = Claims()
  /// The time that rendering the parts has taken, in nanoseconds.
  private(set) var rendering: Int64 = 0
  /// The time that parsing their markup has taken, in nanoseconds.
  private(set) var parsing: Int64 = 0
  private var budget: WorkBudget
  private let merge: Rendered.Merge
  private let isBefore: Bool
  /// The same context, but with the tree before the diff. The tree is copied, so this is only made
  /// for removals with several possible causes.
  private(set) lazy var before: ScopedContext = {
    var rendered = rendered
    rendered.undo(merge)
    return ScopedContext(
      merge, in: rendered, document, templates, leaving: leftovers, client, budget, isBefore: true)
  }()
  /// Nodes that ``checkClientRules(around:)`` has accepted, with their ancestors.
  private var accepted: Set<NodeRef> = []

  init(
    _ merge: Rendered.Merge, in rendered: Rendered, _ document: Document, _ templates: TemplateTable,
    leaving leftovers: Set<NodeRef>, _ client: ClientVersion, _ budget: WorkBudget, isBefore: Bool = false
  ) {
    self.rendered = rendered
    self.leftovers = leftovers
    (self.merge, self.isBefore) = (merge, isBefore)
    self.client = client
    self.document = document
    self.templates = templates
    self.budget = budget
    touched = merge.touched
    movedSlots = merge.edits.count <= 1 ? [] : rendered.slotsOfMoves(in: merge.edits)
    nextNumber = document.nextNumber
  }

  func spend(_ units: Int) throws(FullUpdateReason) { try budget.spend(units) }

  func didParse(since start: MonotonicTime) { parsing += MonotonicTime.now.nanoseconds - start.nanoseconds }

  /// Renders the content of a region.
  func render(_ content: Region.Content) throws(FullUpdateReason) -> Region.Markup {
    let start = MonotonicTime.now
    defer { rendering += MonotonicTime.now.nanoseconds - start.nanoseconds }
    return try RegionWriter.markup(of: content, in: self)
  }

  /// Parses the markup of a region as the parser of the whole page would read it at this location.
  ///
  /// - Returns: `nil` if the markup affects the markup around it.
  func parse(
    _ markup: Region.Markup, at location: Region.Location
  ) -> (piece: MarkupParser.Piece, page: Page)? {
    let start = MonotonicTime.now
    defer { didParse(since: start) }
    let piece = document.piece(markup.bytes, in: location.parent, isFirst: location.after == nil)
    return piece.isContained
      ? (piece, Page(piece, dialect: document.dialect, sources: Page.Sources(markup.rendering))) : nil
  }

  /// Marks the numbers of new nodes as used.
  ///
  /// - Parameter nodeNumbers: the document numbers of a page's nodes, by index in the page's
  ///   storage.
  func take(_ nodeNumbers: [Int]) { nextNumber = max(nextNumber, (nodeNumbers.max() ?? 0) + 1) }

  func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Gives back the numbers that a discarded part has taken.
  func restore(nextNumber: Int) { self.nextNumber = nextNumber }

  /// The reference of a node of the document.
  ///
  /// - Throws: if the document does not have a node with this number.
  func node(_ number: Int) throws(FullUpdateReason) -> NodeRef {
    let node = NodeRef(epoch: document.epoch, number: number)
    guard number != 0, document.contains(node) else {
      throw .missingNode
    }
    return node
  }

  func checkClientRules(around node: NodeRef) throws(FullUpdateReason) {
    try document.checkClientRules(around: node, &accepted)
  }

  func checkClientRules(amongChildrenOf node: NodeRef) throws(FullUpdateReason) {
    try document.checkClientRules(amongChildrenOf: node, &accepted)
  }
}

/// A slot of an instance.
struct SlotAddress: Hashable {
  var path: InstancePath
  var slot: Int
}

extension Rendered {
  /// Slots whose content may have been elsewhere in the page before the update: changed slots,
  /// which may hold a component, and comprehensions whose entries were added or moved.
  fileprivate func slotsOfMoves(in edits: [Edit]) -> Set<SlotAddress> {
    var places: Set<SlotAddress> = []
    for edit in edits {
      switch edit {
      case .slot(let path, let slot, _, _):
        if !components.isEmpty { places.insert(SlotAddress(path: path, slot: slot)) }
      case .entries(let path, let slot, _): places.insert(SlotAddress(path: path, slot: slot))
      case .stream, .component: continue
      }
    }
    return places
  }
}

/// The work that a scoped update may do before it is abandoned for a full update, in units of about
/// 15 ns. The budget ensures that a diff that needs a full update in the end costs at most half as
/// much again as the full update alone.
///
/// Work is counted, not timed, so that the same diff takes the same path on every machine. If the
/// cost of work is predictable, it is spent before the work is done.
struct WorkBudget {
  /// One node of the page in a full update, from the renderer to the morph.
  static let node = 64
  /// Locating one edit.
  static let edit = 64
  /// Passing one instance on the way from the top of the page to an edit.
  static let instance = 32
  /// The fixed part of parsing and comparing a region.
  static let region = 400
  /// One byte of markup that is rendered, parsed and compared.
  static let byte = 4

  private var left: Int

  /// - Parameters:
  ///   - document: the document before the update.
  ///   - page: an upper bound of the page's size.
  ///   - bytes: the size of the diff.
  init(for document: Document, _ page: PageSize, diff bytes: Int) {
    let full = Self.node * document.count + page.markup + 8 * bytes
    // The first summand is about a millisecond, so small pages rarely exhaust the budget.
    left = (1 << 16) + full / 10 * 3
  }

  mutating func spend(_ units: Int) throws(FullUpdateReason) {
    left -= units
    if left < 0 { throw .tooMuchWork }
  }
}
