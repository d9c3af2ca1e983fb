internal import MirrorSupport
internal import RenderedTree

/// The page loads, and the status of each view (its ``ViewLife``). The ``ViewDirectory`` has one,
/// guarded by the same lock.
///
/// Each method that changes the values of a row (a page, a life or a join) adds the key of the row
/// to ``changed``, so that the next ``takeChanges(isShared:)`` returns it for the journal. A change
/// without its key is lost at a restart. Methods that restore rows add no key, and neither do those
/// that only change ``PageLoad/received``, which no row has.
struct PageTable: Sendable {
  private var pages: [String: PageLoad] = [:]
  /// The number of pages that were opened.
  private var opened = 0
  /// The lives by view, including views that have not been mounted.
  private var lives: [String: ViewLife] = [:]
  /// Joins that clients pushed for topics without a view.
  private var joins = RecentValues<TopicJoin>()
  /// The maximum number of pages.
  private let limit: Int
  /// The keys of the rows that have changed since ``takeChanges(isShared:)``.
  private var changed: Set<PageRowKey> = []
  /// The rows that are being written to a shared journal, each with the number of its last write.
  private var writes: [PageRowKey: Int] = [:]
  private var lastWrite = 0
  /// The number of times that rows of other mirrors were adopted. If it changes while the journal
  /// is read, the rows that were read may be outdated.
  private(set) var adoptions = 0

  /// - Parameter views: the maximum number of mounted views. A second allowance of the same size is
  ///   for pages without a mounted view, hence `* 2`.
  init(views: Int) { limit = max(1, views) * 2 }

  /// The minimum of ``lifeLimit``. Clients choose topics, so the number of lives without a mounted
  /// view must be bounded.
  private static let mostUnmounted = 10_000
  /// At this number of lives, the lives of views that are not joined are forgotten. The limit is
  /// then set to at least twice the number of remaining lives, so that the next search is not due
  /// soon.
  private var lifeLimit = mostUnmounted

  // MARK: - Reading

  /// The page with an id.
  subscript(id: String) -> PageLoad? { pages[id] }

  /// The number of pages.
  var count: Int { pages.count }

  /// The pages in the order in which they were opened.
  var all: [PageLoad] { pages.values.sorted { ($0.ordinal, $0.id) < ($1.ordinal, $1.id) } }

  /// The life of a view. A view that was fed without frames counts as joined.
  func life(of view: String) -> ViewLife {
    guard var life = lives[view] else { return ViewLife(page: nil) }
    if let page = life.page, pages[page]?.closedAt != nil { life.status = .closed }
    return life
  }

  /// The lives of views, with their ids, in the given order.
  func lives(of views: [String]) -> [(String, ViewLife)] { views.map { ($0, life(of: $0)) } }

  /// Filters the given views for those that were fed without a page.
  func viewsWithoutPage(_ views: some Sequence<String>) -> [String] { views.filter { lives[$0]?.page == nil } }

  /// Whether the page of a view has closed.
  func isClosed(_ view: String) -> Bool { lives[view]?.page.flatMap { pages[$0]?.closedAt } != nil }

  /// Whether any page has closed and still has views.
  var hasClosed: Bool { pages.values.contains { $0.closedAt != nil } }

  /// Whether a view has ended: its frames have stopped until it joins again.
  func hasEnded(_ view: String) -> Bool { life(of: view).status.isEnded }

  // MARK: - Pages

  /// Opens a page unless it is known. A page that has closed stays closed: its last frames may
  /// arrive after its end.
  ///
  /// - Returns: whether the page is new.
  mutating func open(_ id: String, url: String?, at time: Int64) -> Bool {
    let isNew = pages[id] == nil
    if isNew {
      makeRoom()
      pages[id] = PageLoad(id: id, ordinal: opened, at: time)
      opened += 1
    }
    if let url { pages[id]?.state(url) }
    if isNew || url != nil { changed.insert(.page(id)) }
    return isNew
  }

  /// Counts frames of a page, as ``PageLoad/receive(_:first:)``.
  mutating func receive(_ count: Int, first: Int, of page: String) -> (known: Int, missing: Int) {
    pages[page]?.receive(count, first: first) ?? (0, 0)
  }

  /// Counts frames whose effects are kept. See ``PageLoad/kept``.
  ///
  /// - Returns: `false` if the page has not received these frames. The pages were then read again
  ///   from the journal, which had lost the frames.
  mutating func didReceive(_ count: Int, of page: String) -> Bool {
    guard let load = pages[page] else { return true }
    guard load.received >= count else { return false }
    pages[page]?.kept = max(load.kept, count)
    changed.insert(.page(page))
    return true
  }

  /// Resets ``PageLoad/received`` to ``PageLoad/kept``, because the feed sends the other frames
  /// again. ``finishRestoring(_:)`` then adds the frames that views have kept.
  mutating func forgetUnkept(of page: String) { pages[page].map { pages[page]?.received = $0.kept } }

  /// Changes a page as its feed announces it. A page that had closed is open again.
  ///
  /// - Returns: whether the page is new.
  mutating func announce(_ id: String, _ announcement: PageLoad.Announcement, at time: Int64) -> Bool {
    let isNew = open(id, url: nil, at: time)
    pages[id]?.closedAt = nil
    pages[id]?.note(announcement)
    changed.insert(.page(id))
    return isNew
  }

  /// Closes a page. A page without views is removed.
  ///
  /// - Returns: whether there is such a page.
  mutating func close(_ id: String, at time: Int64) -> Bool {
    guard let page = pages[id] else { return false }
    if page.closedAt == nil { pages[id]?.closedAt = time }
    pages[id]?.hasCarrier = false
    if page.views.isEmpty { pages[id] = nil }
    changed.insert(.page(id))
    return true
  }

  /// Removes a page of which no view was mounted, and the lives of its views.
  mutating func forget(_ page: String) {
    for view in pages[page]?.views ?? [] {
      lives[view] = nil
      changed.insert(.life(view))
    }
    pages[page] = nil
    changed.insert(.page(page))
  }

  /// Removes one page if the maximum is reached. Pages without views are removed before others,
  /// closed pages before open ones, and then the page that was opened first.
  private mutating func makeRoom() {
    guard pages.count >= limit else { return }
    func rank(_ page: PageLoad) -> (Int, Int, Int) {
      (page.views.isEmpty ? 0 : 1, page.closedAt == nil ? 1 : 0, page.ordinal)
    }
    guard let oldest = pages.values.min(by: { rank($0) < rank($1) }) else { return }
    pages[oldest.id] = nil
    changed.insert(.page(oldest.id))
  }

  // MARK: - Joins

  /// The join that a client pushed for a topic without a view.
  func join(of view: String) -> TopicJoin? { joins[view] }

  /// Keeps the join of a topic without a view.
  mutating func keep(_ join: TopicJoin, of view: String) {
    changed.insert(.join(view))
    if let oldest = joins.remember(join, of: view) { changed.insert(.join(oldest)) }
  }

  /// Removes and returns the join of a topic that gets a view; `nil` if there is none.
  mutating func takeJoin(of view: String) -> TopicJoin? {
    guard let join = joins.take(view) else { return nil }
    changed.insert(.join(view))
    return join
  }

  // MARK: - Views

  /// Updates the life of a view, and its page, by a message of the view's channel.
  ///
  /// - Parameters:
  ///   - title: the new title of the page, if the message sets one.
  ///   - page: the page load that the frames belong to.
  mutating func note(_ message: WireMessage, title: String?, of view: String, in page: String?, filter: ParameterFilter)
  {
    var life = lives[view] ?? add(view, to: page)
    life.note(message)
    if case .rendered = message.content { life.isImported = false }
    life.url = life.url.map(filter.text)
    life.refusal = life.refusal.map(filter.text)
    if let move = message.move {
      let address = filter.text(PageURL.resolve(move.address, against: life.url ?? page.flatMap { pages[$0]?.url }))
        .beginning(WireMessage.longestText)
      if life.url != nil || move.kind == .patch { life.url = address }
      if let page { change(page) { $0.url = address } }
    } else if case .join(let push) = message.content, push.url != nil, let page {
      change(page) { $0.url = life.url }
    }
    if let title, let page { change(page) { $0.title = title.beginning(WireMessage.longestText) } }
    lives[view] = life
    changed.insert(.life(view))
  }

  private mutating func change(_ page: String, _ body: (inout PageLoad) -> Void) {
    guard var load = pages.removeValue(forKey: page) else { return }
    body(&load)
    pages[page] = load
    changed.insert(.page(page))
  }

  private mutating func add(_ view: String, to page: String?) -> ViewLife {
    if lives.count >= lifeLimit { forgetUnmounted() }
    if let page { change(page) { $0.views.append(view) } }
    return ViewLife(page: page)
  }

  /// Updates the life of a view that was mounted by a Rendered without a frame.
  mutating func didMount(_ view: String) {
    guard lives[view] != nil else { return }
    lives[view]?.status = .joined
    lives[view]?.isResumed = false
    lives[view]?.isImported = false
    changed.insert(.life(view))
  }

  /// Marks a view as read from a file.
  ///
  /// - Parameter url: the address that the view shows according to the file.
  mutating func didImport(_ view: String, at url: String?) {
    var life = lives[view] ?? ViewLife(page: nil)
    life.isImported = true
    life.url = url ?? life.url
    lives[view] = life
    changed.insert(.life(view))
  }

  /// Forgets a view that was removed. A page that has closed is forgotten with its last view.
  mutating func remove(_ view: String) {
    guard let life = lives.removeValue(forKey: view) else { return }
    changed.insert(.life(view))
    guard let page = life.page else { return }
    changed.insert(.page(page))
    if let place = pages[page]?.views.firstIndex(of: view) { pages[page]?.views.remove(at: place) }
    if let page = pages[page], page.closedAt != nil, page.views.isEmpty { pages[page.id] = nil }
  }

  /// Forgets the views that are not joined, because there are too many.
  ///
  /// - Complexity: O(*views*).
  private mutating func forgetUnmounted() {
    let forgotten = lives.filter { $0.value.status != .joined }
    for page in Set(forgotten.values.compactMap(\.page)) {
      // All forgotten views of a page are removed together, because `remove(_:)` searches the whole
      // list for each view.
      pages[page]?.views.removeAll { forgotten[$0] != nil }
    }
    for view in forgotten.keys { remove(view) }
    lifeLimit = max(Self.mostUnmounted, 2 * lives.count)
  }
}

// MARK: - The journal

extension PageTable {
  /// The new content of a row; `nil` for a row that is no longer needed.
  typealias Change = (key: PageRowKey, row: [UInt8]?, write: Int)

  /// The rows that have changed since the last call. The row of a page has all of its views.
  ///
  /// - Parameter isShared: whether other mirrors write to the journal. ``didWrite(_:_:)`` must then
  ///   be called for each row after it was written.
  mutating func takeChanges(isShared: Bool) -> [Change] {
    if changed.isEmpty { return [] }
    defer { changed.removeAll(keepingCapacity: true) }
    return changed.map { key in
      lastWrite += 1
      if isShared { writes[key] = lastWrite }
      let row =
        switch key {
        case .page(let id): pages[id]?.encoded
        case .life(let view): lives[view]?.encoded
        case .join(let view): joins[view]?.encoded
        }
      return (key, row, lastWrite)
    }
  }

  /// Forgets the changes since ``takeChanges(isShared:)``. Called if the changes need not be
  /// written.
  mutating func dropChanges() { changed.removeAll(keepingCapacity: true) }

  /// Forgets a write that has ended, unless the row was written again since.
  mutating func didWrite(_ key: PageRowKey, _ write: Int) {
    if writes[key] == write { writes[key] = nil }
  }

  /// Replaces rows by those that another mirror has written.
  ///
  /// - Returns: the keys of rows that were not replaced, because this mirror is writing them. They
  ///   must be read again: only the store knows which write was the last.
  mutating func adopt(_ rows: [(id: String, row: [UInt8]?)]) throws(JournalError) -> Set<String> {
    var skipped: Set<String> = []
    for (text, bytes) in rows {
      if let key = PageRowKey(text), writes[key] != nil { skipped.insert(text) } else { try restore(text, bytes) }
    }
    if !rows.isEmpty { adoptions += 1 }
    return skipped
  }

  /// Removes everything before all rows are restored from the journal.
  mutating func removeAll() {
    (pages, opened, lives, joins) = ([:], 0, [:], RecentValues())
    (changed, writes, lifeLimit) = ([], [:], Self.mostUnmounted)
  }

  /// Restores a row of the journal. `bytes` is `nil` for a row that was deleted.
  mutating func restore(_ key: String, _ bytes: [UInt8]?) throws(JournalError) {
    do throws(SnapshotError) {
      switch PageRowKey(key) {
      case .page(let id): restore(try bytes.map { bytes throws(SnapshotError) in try PageLoad(id, bytes) }, id)
      case .life(let view): lives[view] = try bytes.map { bytes throws(SnapshotError) in try ViewLife(bytes) }
      case .join(let view):
        if let bytes { joins.remember(try TopicJoin(bytes), of: view) } else { _ = joins.take(view) }
      case nil: break
      }
    } catch {
      throw JournalError(.damaged, "the row \"\(key)\" is damaged: \(error); restore a copy of the journal")
    }
  }

  private mutating func restore(_ page: PageLoad?, _ id: String) {
    let received = pages[id]?.received ?? 0
    pages[id] = page
    if let page {
      opened = max(opened, page.ordinal + 1)
      // Frames that are being applied stay received, although the row does not have them yet.
      pages[id]?.received = max(received, page.received)
    }
  }

  /// Raises ``PageLoad/received`` of each page to the number of frames that its views have
  /// received.
  ///
  /// - Parameter frames: for each view, the number of frames of its page up to the last frame of
  ///   the view.
  mutating func finishRestoring(_ frames: [(view: String, count: Int)]) {
    for (view, count) in frames {
      guard let page = lives[view]?.page, let received = pages[page]?.received else { continue }
      pages[page]?.received = max(received, count)
    }
  }
}
