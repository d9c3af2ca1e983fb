internal import MarkupDocument
internal import RenderedTree

/// The steps that a mount and a diff share, each with the limits of its result. The initializers of
/// ``FullUpdate`` call them. They change no state. Errors are ``UpdateError/Kind/unfitting``, or
/// ``UpdateError/Kind/outOfMemory`` for the memory of the process.
extension FullUpdate {
  /// Merges a diff into a copy of the tree.
  static func merge(_ diff: Diff, into rendered: Rendered, at place: SlotPath) throws(UpdateError) -> MergedDiff {
    do {
      let (rendered, touched) = try rendered.merging(diff)
      return MergedDiff(rendered: rendered, touched: touched)
    } catch { throw UpdateError(error, in: place) }
  }

  /// Renders a tree as markup.
  static func render(
    _ rendered: Rendered, marking touched: TouchedSlots.Index = .none, skipping skipped: SkippedContent? = nil,
    at place: SlotPath
  ) throws(UpdateError) -> Rendering {
    do { return try rendered.render(marking: touched, skipping: skipped) } catch { throw UpdateError(error, in: place) }
  }

  /// Parses markup into a page.
  ///
  /// - Throws: if the page has more nodes than the parser reads.
  static func parse(_ rendering: Rendering, dialect: Dialect, at place: SlotPath) throws(UpdateError) -> Page {
    let page = Page(rendering, dialect: dialect)
    try check(page, at: place)
    return page
  }

  /// Refuses a page of which the parser has read only a part.
  static func check(_ page: Page, at place: SlotPath) throws(UpdateError) {
    guard page.isTruncated else { return }
    throw UpdateError(
      .unfitting, reason: "the page has more than \(MarkupParser.maximumNodes) nodes", pointer: place.pointer)
  }

  /// Computes the size of a document after changes.
  ///
  /// - Parameter size: the size of the document before the changes.
  /// - Returns: the size of the document after the changes.
  /// - Throws: if the new size exceeds the limits of a document.
  static func size(
    of document: Document, being size: DocumentSize, after changes: ChangeSet, at place: SlotPath
  ) throws(UpdateError) -> DocumentSize {
    let size = size.changed(by: changes, in: document)
    guard size.isExcessive else { return size }
    throw UpdateError(.unfitting, reason: size.excess(after: changes), pointer: place.pointer)
  }
}

// MARK: - Memory

extension FullUpdate {
  /// Measures a tree.
  ///
  /// - Throws: if the tree takes too much memory. A tree of which the page shows everything takes
  ///   less, so components that the page does not show are the cause.
  static func treeSize(of rendered: Rendered, at place: SlotPath) throws(UpdateError) -> TreeSize {
    let size = TreeSize(of: rendered)
    guard size.memory > TreeSize.maximumMemory else { return size }
    throw UpdateError(
      .unfitting,
      reason: """
        the tree would take about \(size.memory >> 20) MiB, more than \(TreeSize.maximumMemory >> 20) MiB; it has \
        \(rendered.components.count) components, which it keeps until the client reports them as destroyed (cids_destroyed)
        """, pointer: place.pointer)
  }

  /// Refuses an update if the page before, the page after and the causes of all changes would
  /// together take too much memory.
  static func checkMemory(of document: Document, touching slots: Int, at place: SlotPath) throws(UpdateError) {
    let memory = document.count * memoryOfNode + slots * memoryOfTouchedSlot
    guard memory > maximumMemory else { return }
    throw UpdateError(
      .unfitting,
      reason: """
        the update names \(slots) slots of a document of \(document.count) nodes, which together take more than \
        \(maximumMemory >> 20) MiB to apply: send it as several diffs
        """, pointer: place.pointer)
  }

  /// Refuses a page for which the memory of the process would not suffice when it is compared with
  /// the document.
  static func checkMemory(
    of page: Page, over document: Document?, touching slots: Int, within bound: MemoryBound
  ) throws(UpdateError) {
    let nodes = page.tree.count + (document?.count ?? 0)
    try bound.require(nodes * memoryOfComparedNode + slots * memoryOfTouchedSlot / 2)
  }

  /// Refuses a page that would take too much memory together with the page that it replaces, which
  /// is kept until the mount has succeeded.
  static func checkMemory(
    of page: Page, from rendering: Rendering, beside memory: Int, at place: SlotPath
  ) throws(UpdateError) {
    let size = PageSize(
      rendering, of: DocumentSize(nodes: page.tree.count, bytes: rendering.markup.count),
      in: TreeSize(fragments: rendering.fragments, bytes: rendering.markup.count))
    guard memory > 0, memory + size.memory > maximumMemoryOfMounts else { return }
    throw UpdateError(
      .unfitting,
      reason: """
        the page would take about \(size.memory >> 20) MiB beside the \(memory >> 20) MiB of the page that it replaces, together more \
        than \(maximumMemoryOfMounts >> 20) MiB: delete the view first
        """, pointer: place.pointer)
  }

  /// In bytes, for the pages before and after a mount together.
  private static let maximumMemoryOfMounts = 120 << 20
  /// In bytes, for the application of one diff.
  private static let maximumMemory = 160 << 20
  /// In bytes, measured with a list of 81,500 rows: the node in the document, its marks, its place
  /// in the log and in the merged tree.
  private static let memoryOfNode = 650
  /// In bytes, for a node of the page or of the document: 175 to 600 were measured with up to
  /// 142,857 elements that are all replaced, with the log entry, the response and the event of a
  /// stream.
  private static let memoryOfComparedNode = 600
  /// In bytes, measured with the list of ``memoryOfNode`` when all rows change: decoded, merged,
  /// rendered, parsed, compared and recorded.
  private static let memoryOfTouchedSlot = 2_400
}

extension DocumentSize {
  /// The error message: the limit that is exceeded, and what to do about it.
  fileprivate func excess(after changes: ChangeSet) -> String {
    let most = Self.maximum
    if nodes > most.nodes {
      return """
        the document would have \(nodes) nodes, more than \(most.nodes): send fewer, or give its streams a limit
        """
    }
    if attributes > most.attributes {
      return "the document would have \(attributes) attributes, more than \(most.attributes): send fewer"
    }
    let largest = Self.largestArrival(of: changes).map { ", of which one \($0.name) takes \($0.bytes) bytes" } ?? ""
    return """
      the document would take \(bytes >> 10) KiB as markup, with its texts escaped and unclosed formatting elements \
      cloned, more than \(most.bytes >> 20) MiB\(largest): send less, or close those elements
      """
  }
}
