internal import MirrorSupport
internal import RenderedTree

/// The key of a row about a page, or about the channel of a view.
enum PageRowKey: Sendable, Hashable {
  /// A page load.
  case page(String)
  /// The status of a view.
  case life(String)
  /// A join that a client has pushed for a topic without a view.
  case join(String)

  var text: String {
    switch self {
    case .page(let id): "page:\(id)"
    case .life(let view): "life:\(view)"
    case .join(let view): "join:\(view)"
    }
  }

  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let id = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "page": self = .page(id)
    case "life": self = .life(id)
    case "join": self = .join(id)
    default: return nil
    }
  }
}

extension LiveViews {
  /// Changes the pages and the status of views, and writes what changed to the journal.
  func changePages<Result>(_ change: (inout PageTable) -> Result) -> Result {
    listed.withLock { listed in
      defer { writePages(of: &listed) }
      return change(&listed.pages)
    }
  }

  /// Writes what changed in the pages. Called under the lock of the list, so that the journal has the order of the changes.
  func writePages(of listed: inout Listed) {
    let changes = listed.pages.takeChanges(isKept: journal != nil)
    for (key, row) in changes { write(key, row, in: &listed) }
  }

  /// Writes the row of a page; `nil` deletes it. Called under the lock of the list.
  func write(_ key: PageRowKey, _ row: [UInt8]?, in listed: inout Listed) {
    guard let journal else { return }
    guard isShared else {
      journal.add(.page(key, row))
      return
    }
    listed.lastWrite += 1
    let (text, number) = (key.text, listed.lastWrite)
    listed.written[text] = number
    journal.add(.page(key, row)) { [weak self] in
      self?.listed.withLock { listed in
        if listed.written[text] == number { listed.written[text] = nil }
      }
    }
  }
}

extension LiveViews.Listed {
  /// Restores all pages.
  ///
  /// - Parameter frames: for views the number of frames of their page up to their last one. Those of unloaded views are in their rows.
  mutating func restorePages(_ rows: [(id: String, row: [UInt8]?)], frames: [(String, Int)]) throws(JournalError) {
    for (text, bytes) in rows { try restore(text, bytes) }
    pages.finishRestoring(frames + unloaded.compactMap { id, view in view.row.frames.map { (id, $0) } })
  }

  /// Restores what a row says; `nil` for a row that was deleted.
  mutating func restore(_ key: String, _ bytes: [UInt8]?) throws(JournalError) {
    do throws(SnapshotError) {
      switch PageRowKey(key) {
      case .page(let id): pages.restore(try bytes.map { bytes throws(SnapshotError) in try PageLoad(id, bytes) }, id)
      case .life(let view):
        pages.restore(try bytes.map { bytes throws(SnapshotError) in try ViewLife(bytes) }, of: view)
      case .join(let view):
        if let bytes { joins.remember(try TopicJoin(bytes), of: view) } else { _ = joins.take(view) }
      case nil: break
      }
    } catch {
      throw JournalError(.damaged, "the row \"\(key)\" is damaged: \(error); restore a copy of the journal")
    }
  }
}

// MARK: - The binary form

extension TopicJoin {
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    write(to: &writer)
    return writer.finish()
  }

  fileprivate init(_ bytes: [UInt8]) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    try self.init(from: &reader)
    try reader.finish()
  }
}

extension PageLoad {
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    writer.write(count: ordinal)
    for text in [url, title, userAgent, client, statedURL] { writer.write(text) }
    writer.write(hasCarrier)
    writer.write(signed: Int(openedAt))
    writer.write(signed: closedAt.map { Int($0) })
    // Feeds may state any number.
    writer.write(signed: lost.frames)
    writer.write(signed: lost.bytes)
    writer.write(all: views) { $1.write($0) }
    writer.write(signed: kept)
    return writer.finish()
  }

  fileprivate init(_ id: String, _ bytes: [UInt8]) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    let ordinal = try reader.count()
    let texts = (
      try reader.optionalString(), try reader.optionalString(), try reader.optionalString(),
      try reader.optionalString(), try reader.optionalString()
    )
    let hasCarrier = try reader.flag()
    self.init(id: id, ordinal: ordinal, at: Int64(try reader.signed()))
    (url, title, userAgent, client, statedURL) = texts
    self.hasCarrier = hasCarrier
    closedAt = try reader.optionalSigned().map { Int64($0) }
    lost = Lost(frames: try reader.signed(), bytes: try reader.signed())
    views = try reader.all { reader throws(SnapshotError) in try reader.string() }
    received = try reader.signed()
    kept = received
    try reader.finish()
  }
}

extension ViewLife {
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    for text in [page, status.rawValue, url, refusal] { writer.write(text) }
    writer.write(isImported)
    writer.write(container != nil)
    if let container {
      writer.write(container.tag)
      writer.write(all: container.attributes) { attribute, writer in
        writer.write(attribute.name)
        writer.write(attribute.value)
      }
    }
    writer.write(isResumed)
    return writer.finish()
  }

  fileprivate init(_ bytes: [UInt8]) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    let page = try reader.optionalString()
    self.init(page: page, status: try reader.flag() ? try reader.choice(ViewStatus.self) : .joined)
    url = try reader.optionalString()
    refusal = try reader.optionalString()
    isImported = try reader.flag()
    if try reader.flag() {
      container = ViewContainer(
        tag: try reader.string(),
        attributes: try reader.all { reader throws(SnapshotError) in
          ViewContainer.Attribute(name: try reader.string(), value: try reader.string())
        })
    }
    // Rows of an older version do not say it.
    if !reader.isAtEnd { isResumed = try reader.flag() }
    try reader.finish()
  }
}
