internal import MarkupDocument
internal import MirrorSupport

/// The binary form of entries, which stores keep (``JournalGroup/IndexedEntry``) and replay reads.
///
/// The order of the values, the codes, and the raw values of enumerations are the format, based on
/// `SnapshotWriter`. Entries of earlier releases must stay readable, and readers refuse another
/// `SnapshotWriter.format`. So a new value must be the last one of an entry, and the reader must
/// accept an entry that ends before it.
extension JournalEntry {
  private enum Code: UInt8 { case mount, diff, destroyed, rejected }

  /// - Complexity: O(*bytes of the input* + *evaluated views*).
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    writer.write(count: number)
    writer.write(count: epoch)
    writer.write(signed: version)
    switch content {
    case .mount(let mount, let update):
      writer.write(byte: Code.mount.rawValue)
      mount.write(to: &writer)
      update.write(to: &writer)
    case .diff(let update):
      writer.write(byte: Code.diff.rawValue)
      update.write(to: &writer)
    case .destroyed(let components):
      writer.write(byte: Code.destroyed.rawValue)
      writer.write(all: components) { $1.write(signed: $0) }
    case .rejected(let rejection):
      writer.write(byte: Code.rejected.rawValue)
      rejection.write(to: &writer)
    }
    return writer.finish()
  }

  /// - Parameter view: the id of the view.
  init(_ bytes: [UInt8], of view: String) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    number = try reader.count()
    epoch = try reader.count()
    version = try reader.signed()
    switch Code(rawValue: try reader.byte()) {
    case .mount: content = .mount(try MountFacts(from: &reader), try UpdateFacts(from: &reader))
    case .diff: content = .diff(try UpdateFacts(from: &reader))
    case .destroyed: content = .destroyed(try reader.all { reader throws(SnapshotError) in try reader.signed() })
    case .rejected:
      content = .rejected(try Rejection(of: view, epoch: epoch, version: version, from: &reader))
    case nil: throw reader.malformed("an entry must be a mount, a diff, destroyed components or a rejection")
    }
    try reader.finish()
  }
}

extension SnapshotReader {
  /// Reads a case of an enumeration, which is stored as the text of its raw value.
  mutating func choice<Value: RawRepresentable<String>>(_ type: Value.Type) throws(SnapshotError) -> Value {
    let text = try string()
    guard let value = Value(rawValue: text) else { throw malformed("\"\(text)\" is no \(type)") }
    return value
  }
}

extension MountFacts {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(dialect.rawValue)
    writer.write(container.rawValue)
    writer.write(markupBefore)
    writer.write(versions.rawValue)
    writer.write(isFedWithFrames)
    writer.write(signed: Int(mountedAt))
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      dialect: try reader.choice(Dialect.self), container: try reader.choice(ContainerContent.self),
      markupBefore: try reader.optionalString(), versions: try reader.choice(LiveViewVersions.self),
      isFedWithFrames: try reader.flag(), mountedAt: Int64(try reader.signed()))
  }
}

extension Rejection {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(signed: Int(at))
    writer.write(count: bytes)
    writer.write(error.kind.rawValue)
    writer.write(error.reason)
    writer.write(error.pointer)
    writer.write(count: error.offset)
    writer.write(error.part)
    writer.write(input)
  }

  fileprivate init(of view: String, epoch: Int, version: Int, from reader: inout SnapshotReader) throws(SnapshotError) {
    let (at, bytes) = (Int64(try reader.signed()), try reader.count())
    var error = UpdateError(try reader.choice(UpdateError.Kind.self), reason: try reader.string())
    error.pointer = try reader.optionalString()
    error.offset = try reader.optionalCount()
    error.part = try reader.optionalString()
    self.init(
      view: view, epoch: epoch, version: version, at: at, bytes: bytes, error: error, input: try reader.string())
  }
}
