internal import MirrorSupport
internal import RenderedTree

/// The key of a row about a page, or about the channel of a view. ``PageTable`` writes and reads
/// these rows. Journals contain the texts of the keys, so the texts must not change.
enum PageRowKey: Sendable, Hashable {
  /// A page load.
  case page(String)
  /// The ``ViewLife`` of a view.
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

// MARK: - The binary form

// Journals have rows of earlier releases. So a new value is written last, and a reader accepts a
// row that ends before it. A `TopicJoin` gets no new value, because it is also in the middle of a
// `JournalRow`.

extension TopicJoin {
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    write(to: &writer)
    return writer.finish()
  }

  init(_ bytes: [UInt8]) throws(SnapshotError) {
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
    // Signed, because feeds may state any number, even a negative one.
    writer.write(signed: lost.frames)
    writer.write(signed: lost.bytes)
    writer.write(all: views) { $1.write($0) }
    writer.write(signed: kept)
    return writer.finish()
  }

  init(_ id: String, _ bytes: [UInt8]) throws(SnapshotError) {
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
    // After a restart, only frames whose effects the journal has count as received.
    kept = received
    try reader.finish()
  }
}

extension ViewLife {
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    // The array makes each text an optional, so a flag precedes the status too.
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

  init(_ bytes: [UInt8]) throws(SnapshotError) {
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
    // Rows of earlier releases end before this value.
    if !reader.isAtEnd { isResumed = try reader.flag() }
    try reader.finish()
  }
}
