internal import MirrorSupport
internal import RenderedTree

/// The page loads, and the status of the views.
struct PageTable: Sendable {
  private(set) var pages: [String: PageLoad] = [:]
  /// The number of pages that were opened.
  private var opened = 0
  /// The status of each view that has one: also of views that have not been mounted.
  private var lives: [String: ViewLife] = [:]
  /// The maximum number of pages.
  private let limit: Int

  /// - Parameter views: the maximum number of mounted views. As many pages may have no mounted view.
  init(views: Int) { limit = max(1, views) * 2 }

  /// The maximum number of views without a mount. Clients choose topics, so their number must be bounded.
  private static let mostUnmounted = 10_000

  // MARK: - Reading

  /// The pages in the order in which they were opened.
  var all: [PageLoad] { pages.values.sorted { $0.ordinal < $1.ordinal } }

  /// The life of a view. A view whose feed has sent no frames of a channel is joined.
  func life(of view: String) -> ViewLife {
    guard var life = lives[view] else { return ViewLife(page: nil) }
    if let page = life.page, pages[page]?.closedAt != nil { life.status = .closed }
    return life
  }

  /// The lives of views, with their ids, in the given order.
  func lives(of views: [String]) -> [(String, ViewLife)] { views.map { ($0, life(of: $0)) } }

  /// Those of the given views that were fed without a page.
  func viewsWithoutPage(_ views: some Sequence<String>) -> [String] { views.filter { lives[$0]?.page == nil } }

  /// Whether the page of a view has closed.
  func isClosed(_ view: String) -> Bool { lives[view]?.page.flatMap { pages[$0]?.closedAt } != nil }

  /// Whether a view has ended: its frames have stopped until it joins again.
  func hasEnded(_ view: String) -> Bool { life(of: view).status.isEnded }

  // MARK: - Pages

  /// Opens a page unless it is known. A page that has closed stays closed: its last frames may arrive after its end.
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
    return isNew
  }

  /// See ``PageLoad/receive(_:first:)``.
  mutating func receive(_ count: Int, first: Int, of page: String) -> (known: Int, missing: Int) {
    pages[page]?.receive(count, first: first) ?? (0, 0)
  }

  /// Notes what a feed says about its page. A page that had closed is open again.
  ///
  /// - Returns: whether the page is new.
  mutating func announce(_ id: String, _ announcement: PageLoad.Announcement, at time: Int64) -> Bool {
    let isNew = open(id, url: nil, at: time)
    pages[id]?.closedAt = nil
    pages[id]?.note(announcement)
    return isNew
  }

  /// - Returns: whether there is such a page.
  mutating func close(_ id: String, at time: Int64) -> Bool {
    guard let page = pages[id] else { return false }
    if page.closedAt == nil { pages[id]?.closedAt = time }
    pages[id]?.hasCarrier = false
    if page.views.isEmpty { pages[id] = nil }
    return true
  }

  /// Removes a page of which no view was mounted.
  mutating func forget(_ page: String) {
    for view in pages[page]?.views ?? [] { lives[view] = nil }
    pages[page] = nil
  }

  /// Removes a page if there are too many: one without views if possible, then a closed one, then the one that was opened first.
  private mutating func makeRoom() {
    guard pages.count >= limit else { return }
    func rank(_ page: PageLoad) -> (Int, Int, Int) {
      (page.views.isEmpty ? 0 : 1, page.closedAt == nil ? 1 : 0, page.ordinal)
    }
    if let oldest = pages.values.min(by: { rank($0) < rank($1) }) { pages[oldest.id] = nil }
  }

  // MARK: - Views

  /// Notes a message of a view's channel.
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
      if let page { pages[page]?.url = address }
    } else if case .join(let push) = message.content, push.url != nil, let page {
      pages[page]?.url = life.url
    }
    if let title, let page { pages[page]?.title = title.beginning(WireMessage.longestText) }
    lives[view] = life
  }

  private mutating func add(_ view: String, to page: String?) -> ViewLife {
    if lives.count >= Self.mostUnmounted { forgetUnmounted() }
    if let page { pages[page]?.views.append(view) }
    return ViewLife(page: page)
  }

  /// Notes that a view was mounted by a Rendered without a frame.
  mutating func didMount(_ view: String) {
    lives[view]?.status = .joined
    lives[view]?.isImported = false
  }

  /// Notes that a view was read from a file.
  ///
  /// - Parameter url: the address that the view shows according to the file.
  mutating func didImport(_ view: String, at url: String?) {
    var life = lives[view] ?? ViewLife(page: nil)
    life.isImported = true
    life.url = url ?? life.url
    lives[view] = life
  }

  /// Forgets a view that was removed. A page that has closed is forgotten with its last view.
  mutating func remove(_ view: String) {
    guard let page = lives.removeValue(forKey: view)?.page else { return }
    pages[page]?.views.removeAll { $0 == view }
    if let page = pages[page], page.closedAt != nil, page.views.isEmpty { pages[page.id] = nil }
  }

  /// Forgets the views that are not joined, because there are too many.
  private mutating func forgetUnmounted() {
    let forgotten = lives.filter { $0.value.status != .joined }.keys
    for view in forgotten { remove(view) }
  }
}
