package import MirrorSupport

/// The tree in the snapshot of a view. `ViewState` writes and reads it.
extension Rendered {
  /// Writes the tree, with its identities and its sites.
  ///
  /// - Parameter statics: writes the templates. Later parts of the snapshot refer to a template by
  ///   the same number.
  /// - Complexity: O(*slots* + *bytes of the strings*).
  package func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    var encoder = TreeWriter(writer: writer, statics: statics)
    encoder.writer.write(count: nextIdentity)
    encoder.write(root)
    encoder.writer.write(count: components.count)
    for cid in components.keys.sorted() {
      guard let component = components[cid] else { continue }
      encoder.writer.write(signed: cid)
      encoder.write(component)
    }
    (writer, statics) = (encoder.writer, encoder.statics)
  }

  /// Reads a tree.
  ///
  /// - Throws: also if the tree is nested deeper than an update can be, or if two sites of a
  ///   template differ in their number of anchors. Whether the nodes of the sites exist is not
  ///   checked: an update that finds no node becomes a full one.
  /// - Complexity: O(*slots* + *bytes of the strings*).
  package init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    var decoder = TreeReader(reader: reader, statics: statics)
    let nextIdentity = try decoder.reader.count()
    let root = try decoder.fragment(at: 0)
    var components: [Int: Fragment] = [:]
    for _ in 0..<(try decoder.reader.listCount()) {
      let cid = try decoder.reader.signed()
      let isNew = components.updateValue(try decoder.fragment(at: 0), forKey: cid) == nil
      try decoder.reader.require(isNew, "component \(cid) must be in the tree once")
    }
    self.init(root: root, components: components, nextIdentity: nextIdentity)
    (reader, statics) = (decoder.reader, decoder.statics)
  }
}

/// The kinds of slots. A slot begins with its kind.
private enum SlotKind {
  static let (text, component, fragment, comprehension): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 3)
}

/// Bits for the properties of a fragment or comprehension. Some of them state that a value follows,
/// such as a site.
private struct InstanceFlags: OptionSet {
  let rawValue: UInt8
  static let hasSite = InstanceFlags(rawValue: 1)
  static let isRoot = InstanceFlags(rawValue: 2)
  static let hasIdentity = InstanceFlags(rawValue: 4)
  static let isKeyed = InstanceFlags(rawValue: 8)
  static let isLinked = InstanceFlags(rawValue: 16)
  static let hasStream = InstanceFlags(rawValue: 32)
}

/// Writes instances. The recursion is as deep as the tree. The tree is at most
/// ``WireDecoder/maximumDepth`` deep, because it was decoded from JSON of at most that depth.
private struct TreeWriter {
  var writer: SnapshotWriter
  var statics: StaticsWriter
  /// The identity and the node number that were written last.
  private var (lastIdentity, lastNode) = (0, 0)

  init(writer: consuming SnapshotWriter, statics: consuming StaticsWriter) {
    (self.writer, self.statics) = (writer, statics)
  }

  mutating func write(_ fragment: Fragment) {
    statics.write(fragment.statics, to: &writer)
    var flags: InstanceFlags = []
    if fragment.site != nil { flags.insert(.hasSite) }
    if fragment.isRoot { flags.insert(.isRoot) }
    if fragment.root != nil { flags.insert(.hasIdentity) }
    writer.write(byte: flags.rawValue)
    if let root = fragment.root { write(identity: root) }
    fragment.site?.write(to: &writer, after: &lastNode)
    for slot in fragment.slots { write(slot) }
  }

  private mutating func write(_ list: Comprehension) {
    statics.write(list.statics, to: &writer)
    var flags: InstanceFlags = []
    if list.isKeyed { flags.insert(.isKeyed) }
    if list.isLinked { flags.insert(.isLinked) }
    if list.stream != nil { flags.insert(.hasStream) }
    writer.write(byte: flags.rawValue)
    write(identity: list.list)
    list.stream?.write(to: &writer)
    writer.write(count: list.entries.count)
    for entry in list.entries {
      write(identity: entry.serial)
      writer.write(entry.site != nil)
      entry.site?.write(to: &writer, after: &lastNode)
      for slot in entry.slots { write(slot) }
    }
  }

  private mutating func write(_ slot: Slot) {
    switch slot {
    case .text(let text):
      writer.write(byte: SlotKind.text)
      writer.write(text)
    case .component(let cid):
      writer.write(byte: SlotKind.component)
      writer.write(signed: cid)
    case .fragment(let fragment):
      writer.write(byte: SlotKind.fragment)
      write(fragment)
    case .comprehension(let list):
      writer.write(byte: SlotKind.comprehension)
      write(list)
    }
  }

  private mutating func write(identity: Int) {
    writer.write(count: identity, after: lastIdentity)
    lastIdentity = identity
  }
}

/// Reads what a ``TreeWriter`` has written.
private struct TreeReader {
  var reader: SnapshotReader
  var statics: StaticsReader
  private var (lastIdentity, lastNode) = (0, 0)

  init(reader: consuming SnapshotReader, statics: consuming StaticsReader) {
    (self.reader, self.statics) = (reader, statics)
  }

  mutating func fragment(at depth: Int) throws(SnapshotError) -> Fragment {
    let number = try statics.readNumber(from: &reader)
    let template = statics[number]
    try reader.require(!template.parts.isEmpty, "the template of a fragment must have a string")
    let flags = InstanceFlags(rawValue: try reader.byte())
    let root = flags.contains(.hasIdentity) ? try identity() : nil
    let site = flags.contains(.hasSite) ? try site(of: number) : nil
    var fragment = Fragment(
      statics: template, isRoot: flags.contains(.isRoot), root: root, slots: try slots(of: template, at: depth))
    fragment.site = site
    return fragment
  }

  private mutating func comprehension(at depth: Int) throws(SnapshotError) -> Comprehension {
    let number = try statics.readNumber(from: &reader)
    let template = statics[number]
    let flags = InstanceFlags(rawValue: try reader.byte())
    let list = try identity()
    let stream = flags.contains(.hasStream) ? try StreamOperation(from: &reader) : nil
    let count = try reader.listCount()
    var entries: [Comprehension.Entry] = []
    for _ in 0..<count {
      let serial = try identity()
      let site = try reader.flag() ? try site(of: number) : nil
      var entry = Comprehension.Entry(serial: serial, slots: try slots(of: template, at: depth))
      entry.site = site
      entries.append(entry)
    }
    var comprehension = Comprehension(
      statics: template, isKeyed: flags.contains(.isKeyed), list: list, entries: entries, stream: stream)
    comprehension.isLinked = flags.contains(.isLinked)
    return comprehension
  }

  private mutating func slots(of template: Statics, at depth: Int) throws(SnapshotError) -> [Slot] {
    try reader.require(
      depth <= WireDecoder.maximumDepth, "the tree must not be deeper than \(WireDecoder.maximumDepth)")
    let count = template.slotCount
    if count == 0 { return [] }
    var slots: [Slot] = []
    // The template's strings, which are in the snapshot, bound the count. Little is reserved,
    // because a malformed snapshot may have fewer slots.
    slots.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      switch try reader.byte() {
      case SlotKind.text: slots.append(.text(try reader.string()))
      case SlotKind.component: slots.append(.component(try reader.signed()))
      case SlotKind.fragment: slots.append(.fragment(try fragment(at: depth + 1)))
      case SlotKind.comprehension: slots.append(.comprehension(try comprehension(at: depth + 1)))
      case let kind: throw reader.malformed("\(kind) is not a kind of slot")
      }
    }
    return slots
  }

  private mutating func site(of template: Int) throws(SnapshotError) -> Site {
    let site = try Site.read(from: &reader, after: &lastNode)
    if site.isAddressable { try statics.note(anchors: site.anchorCount, of: template, in: reader) }
    return site
  }

  private mutating func identity() throws(SnapshotError) -> Int {
    lastIdentity = try reader.count(after: lastIdentity)
    return lastIdentity
  }
}
