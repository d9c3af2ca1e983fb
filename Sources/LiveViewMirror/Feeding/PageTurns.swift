internal import MirrorSupport

/// The turns of pages: inputs of one page are applied one after the other. A feed sends an input
/// again if it got no response, and the frames that were kept are then skipped. Which frames those
/// are is known only when the earlier input has ended.
///
/// `POST /frames` takes a turn without waiting, and imports wait for it.
///
/// With a shared journal, an input keeps its turn while it pauses. So no worker of the HTTP server
/// may block for a turn: the paused input may need the same worker to continue.
final class PageTurns: Sendable {
  /// The inputs that wait, by page. A page has a key exactly while an input has the turn of the
  /// page.
  private let waiting = Guarded<[String: [@Sendable (PageTurn) -> Void]]>([:])

  /// The turn of a page; `nil` while another input has it. In this case, `body` is called later
  /// with the turn, once all earlier inputs of the page have ended, on the thread that ends the
  /// last of them.
  ///
  /// - Complexity: O(1).
  func take(_ page: String, orLater body: @escaping @Sendable (PageTurn) -> Void) -> PageTurn? {
    let isFree = waiting.withLock { waiting in
      if waiting[page] != nil {
        waiting[page]?.append(body)
        return false
      }
      waiting[page] = []
      return true
    }
    return isFree ? PageTurn(of: page, in: self) : nil
  }

  fileprivate func end(_ page: String) {
    let next = waiting.withLock { waiting -> (@Sendable (PageTurn) -> Void)? in
      guard var others = waiting[page], !others.isEmpty else {
        waiting[page] = nil
        return nil
      }
      let next = others.removeFirst()
      waiting[page] = others
      return next
    }
    next?(PageTurn(of: page, in: self))
  }
}

/// The turn of one input of a page. Each page has at most one turn that has not ended.
package final class PageTurn: Sendable {
  private let page: String
  private let turns: PageTurns
  private let isOver = Guarded(false)

  fileprivate init(of page: String, in turns: PageTurns) { (self.page, self.turns) = (page, turns) }

  /// Ends the turn. Only the first call has an effect.
  func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { turns.end(page) }
  }

  /// An input that is abandoned must not hold its page.
  deinit { end() }
}

extension LiveViews {
  /// Takes the turn of an input's page without waiting, as ``PageTurns/take(_:orLater:)``.
  package func takeTurn(of page: PageFeedParameters, orLater body: @escaping @Sendable (PageTurn) -> Void) -> PageTurn?
  {
    turns.take(page.id, orLater: body)
  }

  /// Waits for the turn of an input's page; `nil` for an input without a page.
  func turn(of page: PageFeedParameters?) -> PageTurn? {
    guard let page else { return nil }
    let later = Guarded<PageTurn?>(nil)
    if let turn = turns.take(page.id, orLater: { turn in later.change { $0 = turn } }) { return turn }
    while !later.wait(until: .now + .seconds(60), for: { $0 != nil }) {}
    return later.change { turn in
      defer { turn = nil }
      return turn
    }
  }
}
