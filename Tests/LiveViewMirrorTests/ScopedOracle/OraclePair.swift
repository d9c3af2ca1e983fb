import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree

/// Two mirrors of one view with the same inputs: one makes scoped updates and one full updates.
/// They must be equal after every update.
struct OraclePair {
  let full = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
  let scoped = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped).withAnalyses)
  /// A copy of the scoped document to which only change sets are applied.
  private var copy: NaiveCopy?
  private var before: (full: Document, scoped: Document)?
  /// The markup of each version, for the check of past versions. Each pipeline has its own, since
  /// the order of attributes may differ.
  private var markups: [(full: String, scoped: String)] = []
  private(set) var path = UpdatePath.scoped
  private(set) var wasRejected = false
  /// Permitted differences of the last update, which are only counted: for example other identities
  /// or other causes.
  private(set) var deviations: Set<String> = []
  /// The number of nodes of the page.
  var count: Int { before?.full.count ?? 0 }

  /// - Parameter client: the version of LiveView's client.
  mutating func mount(_ json: String, _ dialect: Dialect, client: String = ClientVersion.newest.rawValue) -> String? {
    do {
      for view in [full, scoped] {
        var message = try WireDecoder().update(Array(json.utf8), isMount: true)
        message.liveViewVersion = client
        _ = try view.receive(message, dialect: dialect)
      }
    } catch { return "the mount is rejected: \(error)" }
    guard let (full, scoped) = documents else { return "nothing is mounted" }
    copy = NaiveCopy(scoped)
    before = (full, scoped)
    return difference(from: full, to: scoped)
  }

  /// - Returns: the first difference between the pipelines, or the first violated invariant of one
  ///   of them.
  mutating func update(_ json: String, isThorough: Bool) -> String? {
    let body = Array(json.utf8)
    let records: (full: ChangeRecord, scoped: ChangeRecord)
    wasRejected = false
    deviations = []
    switch (Self.update(full, body), Self.update(scoped, body)) {
    case (.success(let full), .success(let scoped)): records = (full, scoped)
    case (.failure(let full), .failure(let scoped)):
      wasRejected = true
      return Self.difference(between: full, scoped)
    case (.failure(let full), .success): return "only the full update rejects the diff: \(full)"
    case (.success, .failure(let scoped)): return "only the scoped update rejects the diff: \(scoped)"
    }
    path = records.scoped.path
    guard let (full, scoped) = documents, let before else { return "nothing is mounted" }
    defer { self.before = (full, scoped) }
    if let fault = renderedDifference ?? difference(from: full, to: scoped) { return fault }
    let changeSet = records.scoped.changeSet
    if let fault = copy?.apply(changeSet) ?? copy?.difference(from: scoped) { return "the change set: \(fault)" }
    let faults = scoped.checkInvariants()
    if !faults.isEmpty { return "an invariant: \(faults.joined(separator: ", "))" }
    if let fault = identityDifference(before, (full, scoped)) { return fault }
    let expected = NaiveCopy.notified(by: changeSet, in: scoped)
    if records.scoped.notified != expected { return "notified \(records.scoped.notified), expected \(expected)" }
    if records.scoped.nodeCount != scoped.count { return "the record counts \(records.scoped.nodeCount) nodes" }
    if (records.full.title, records.full.events) != (records.scoped.title, records.scoped.events) {
      return "title or events differ"
    }
    if records.full.waste != records.scoped.waste { deviations.insert("waste") }
    if records.full.changeSet.changes.count != changeSet.changes.count { deviations.insert("number of changes") }
    if records.full.slots != records.scoped.slots { deviations.insert("causes") }
    if records.full.diagnostics.count != records.scoped.diagnostics.count { deviations.insert("diagnostics") }
    if isThorough, Expected(from: before.full, to: full).fault(in: records.full.changeSet) == nil,
      let fault = Expected(from: before.scoped, to: scoped).fault(in: changeSet)
    {
      return "the change set: \(fault)"
    }
    return nil
  }

  /// Sends both views a frame that only destroys components.
  func receive(_ frame: String) throws(UpdateError) {
    try full.receive(frame: frame)
    try scoped.receive(frame: frame)
  }

  static func frame(destroying cids: [Int]) -> String {
    "[null,\"1\",\"main\",\"phx_reply\",{\"status\":\"ok\",\"response\":{\"cids\":\(cids)}}]"
  }

  private static func update(_ view: LiveViewCoordinator, _ body: [UInt8]) -> Result<ChangeRecord, UpdateError> {
    Result { () throws(UpdateError) in try view.update(body) }
  }

  private var documents: (full: Document, scoped: Document)? {
    guard let full = full.document, let scoped = scoped.document else { return nil }
    return (full, scoped)
  }

  // MARK: - Comparisons

  private static func difference(between full: UpdateError, _ scoped: UpdateError) -> String? {
    let isSame =
      full.kind == scoped.kind && full.pointer == scoped.pointer && full.reason == scoped.reason
      && full.offset == scoped.offset
    return isSame ? nil : "the rejections differ: \(full) by the full update, \(scoped) by the scoped one"
  }

  private var renderedDifference: String? {
    guard let full = try? full.view?.rendered.render().markup, let scoped = try? scoped.view?.rendered.render().markup
    else { return "a tree cannot be rendered" }
    if full == scoped { return nil }
    return "the merged tree of scoped renders \(String(decoding: scoped, as: UTF8.self))"
  }

  private func difference(from full: Document, to scoped: Document) -> String? {
    if full.tree.isEqual(to: scoped.tree) { return nil }
    let (actual, expected) = (Outline.lines(of: scoped.tree), Outline.lines(of: full.tree))
    guard let line = Outline.firstDifference(actual, expected) else { return "a namespace differs" }
    return "node \(line) of scoped is \(Outline.text(actual, line)), expected \(Outline.text(expected, line))"
  }

  /// The first forbidden difference in the identity of nodes, if any.
  ///
  /// The pipelines must keep the same nodes of entries and components, which the wire names, and of
  /// elements whose id is unique before and after the update. Differences of other nodes are only
  /// counted.
  private mutating func identityDifference(
    _ before: (full: Document, scoped: Document), _ after: (full: Document, scoped: Document)
  ) -> String? {
    let (oldFull, oldScoped) = (before.full.placesInOrder, before.scoped.placesInOrder)
    var kept: [(node: NodeRef, element: Element)] = []
    for (a, b) in zip(after.full.tree.preorder(), after.scoped.tree.preorder()) {
      let (full, scoped) = (after.full.ref(a), after.scoped.ref(b))
      let (origin, other) = (after.full.marks.origins[full], after.scoped.marks.origins[scoped])
      if origin != other { return "the origin of \(scoped) is \(other as Any) and should be \(origin as Any)" }
      let (root, otherRoot) = (after.full.marks.roots[full], after.scoped.marks.roots[scoped])
      if root != otherRoot { return "\(scoped) is the root \(otherRoot as Any), and should be \(root as Any)" }
      let (stream, otherStream) = (after.full.marks.streams[full], after.scoped.marks.streams[scoped])
      if stream != otherStream { return "the stream of \(scoped) is \(otherStream as Any), not \(stream as Any)" }
      let (was, wasScoped) = (oldFull[full], oldScoped[scoped])
      if was == wasScoped { continue }
      deviations.insert("identity")
      // The wire names entries and components. Other nodes may be matched by position alone.
      if let origin, before.full.marks.origins[full] == origin {
        return "\(scoped), an entry or a component, was node \(wasScoped as Any) in order and should be \(was as Any)"
      }
      if let element = after.scoped.tree[b].element, element.id != nil { kept.append((scoped, element)) }
    }
    if kept.isEmpty { return nil }
    let (old, new) = (before.scoped.uniqueIDs, after.scoped.uniqueIDs)
    for (node, element) in kept {
      // A scoped update may keep a node by its id even if the full update replaces it, for example
      // inside an ignored container.
      guard let id = element.id, new[id] == node, let known = old[id], known != node,
        before.scoped.content(of: known)?.element?.tag == element.tag
      else { continue }
      return "the scoped update replaced the node of #\(id)"
    }
    return nil
  }

  // MARK: - Past versions

  /// Records the markup of the current version. Must be called after every update.
  mutating func remember() {
    guard !wasRejected, let (full, scoped) = documents else { return }
    markups.append((full.markup(of: full.root), scoped.markup(of: scoped.root)))
  }

  func timeTravelDifference(to version: Int) -> String? {
    guard markups.indices.contains(version) else { return nil }
    for (view, markup) in [(full, markups[version].full), (scoped, markups[version].scoped)] {
      let past = view.view?.document(at: version)
      if past.map({ $0.markup(of: $0.root) }) != markup {
        return "the \(view.options.pipeline) pipeline rebuilds version \(version) with other markup"
      }
    }
    return nil
  }

  var versions: Int { markups.count }
}

extension Document {
  /// The position of each node in document order.
  fileprivate var placesInOrder: [NodeRef: Int] {
    var places: [NodeRef: Int] = [:]
    places.reserveCapacity(count)
    for (place, node) in tree.preorder().enumerated() { places[ref(node)] = place }
    return places
  }

  /// The elements with a unique id.
  fileprivate var uniqueIDs: [String: NodeRef] {
    var ids: [String: [NodeRef]] = [:]
    for node in nodes(from: root) {
      if let id = content(of: node)?.element?.id { ids[id, default: []].append(node) }
    }
    return ids.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}

extension LiveViewCoordinator {
  func receive(frame: String) throws(UpdateError) {
    guard let message = try? WireDecoder().decode(Array(frame.utf8), as: .frames).first?.get() else { return }
    _ = try receive(message, dialect: .html)
  }
}

extension String {
  /// Whether this input is a frame and not an update.
  var isFrame: Bool { utf8.first == UInt8(ascii: "[") }
}
