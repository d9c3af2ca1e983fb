internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// Applies updates to the documents of views. The session calls these functions for diffs, and for
/// the replies to joins and pushes. If an update removes components, they also push the frames that
/// inform the server.
extension PageSession {
  /// Applies a frame to a view's document.
  ///
  /// - Returns: the record of the change; `nil` if the frame has no update or was rejected.
  @discardableResult
  mutating func apply(_ frame: [UInt8], to view: MountedView) -> ChangeRecord? {
    do throws(UpdateError) {
      let messages: [Result<WireMessage, WireError>]
      do throws(WireError) { messages = try decoder.decode(frame, as: .frames) } catch { throw UpdateError(error) }
      guard let first = messages.first else { return nil }
      let message: WireMessage
      do { message = try first.get() } catch { throw UpdateError(error) }
      return try view.document.receive(message, dialect: options.dialect)
    } catch {
      if error.kind != .staleFrame { report(.rejected(view: view.topic, error)) }
      return nil
    }
  }

  /// Reports an applied update, then leaves the views whose elements it has removed, and joins the
  /// views whose elements it has added.
  mutating func didUpdate(_ key: Int, _ record: ChangeRecord) {
    guard let view = self[key] else { return }
    report(.updated(view: view.topic, record))
    if let title = record.title, title != self.title {
      self.title = title
      report(.title(title))
    }
    if record.removesNodes { destroyRemovedViews(of: view) }
    let isNative = options.isNative
    let removed = self[key]?.noteComponents(record, parentsFirst: isNative) ?? []
    // Not after a join (version 0), because the new process of the view may use the ids of the
    // removed components for other components.
    if record.version != 0, !removed.isEmpty { pushComponents(removed, of: view, as: "cids_will_destroy") }
    for element in record.addedViews {
      if element.parent == view.id {
        joinChild(element, of: self[key] ?? view)
      } else if element.isSticky {
        joinRoot(element)
        if let sticky = views.last(where: { $0.parent == nil && $0.id == element.id })?.key {
          containers[sticky] = key
        }
      }
    }
  }

  /// Leaves the views whose elements were removed from the document.
  private mutating func destroyRemovedViews(of view: MountedView) {
    let contained = children(of: view.key) + views.filter { containers[$0.key] == view.key }
    guard !contained.isEmpty else { return }
    let removed = view.document.reading { document in contained.filter { document.node(withID: $0.id) == nil } } ?? []
    for child in removed { destroy(child.key) }
  }

  // MARK: - Components

  /// Reports removed components to the server, which then removes them too: `cids_will_destroy`
  /// first and, after the answer, `cids_destroyed` for those components that no update has added
  /// again meanwhile.
  private mutating func pushComponents(_ components: [Int], of view: MountedView, as event: String) {
    guard socket.canPush(view.channel) else { return }
    let purpose: SessionPush = event == "cids_destroyed" ? .destroyed : .willDestroy(components: components)
    let list = components.map(String.init).joined(separator: ",")
    push(event, "{\"cids\":[\(list)]}", to: view, for: purpose)
  }

  /// Called when the server has answered `cids_will_destroy`.
  mutating func didAnnounce(_ components: [Int], of view: MountedView) {
    let missing = view.missing(components)
    if !missing.isEmpty { pushComponents(missing, of: view, as: "cids_destroyed") }
  }

  // MARK: - Messages of a channel

  mutating func didReceive(_ message: ChannelMessage, _ key: Int) {
    guard let view = self[key] else { return }
    switch message.event {
    case "diff": if let record = apply(received, to: view) { didUpdate(key, record) }
    case "redirect": redirect(message.payload)
    case "live_patch": patch(message.payload, of: key)
    case "live_redirect": navigate(message.payload)
    default: break
    }
  }
}
