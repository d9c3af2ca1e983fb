package import MirrorSupport

/// Writes templates: each object is written once, and later named by its number. `ViewState` uses
/// one for all parts of a snapshot.
///
/// The objects matter, not only their strings: LiveView 1.0 sends the strings again with each
/// component, and the `TemplateTable` of a view has an entry for each object. So two objects with
/// the same strings stay two, but the strings are written once.
package struct StaticsWriter {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var firstWithStrings: [Statics: Int] = [:]

  package init() {}

  /// The objects in an order that is the same in every process: first the written objects, by their
  /// numbers, then the others, by their strings.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects.
  package func sorted(_ objects: some Sequence<Statics>) -> [Statics] {
    objects.map { (number: numbers[ObjectIdentifier($0)] ?? .max, statics: $0) }.sorted { a, b in
      a.number == b.number ? Statics.precedes(a.statics, b.statics) : a.number < b.number
    }.map(\.statics)
  }

  /// Writes a code: 0 and the strings, 1 and the number of an object with the same strings, or the
  /// number of the object itself plus 2.
  ///
  /// - Complexity: O(*bytes*) for a new object, otherwise O(1).
  package mutating func write(_ statics: Statics, to writer: inout SnapshotWriter) {
    if let known = numbers[ObjectIdentifier(statics)] { return writer.write(count: known + 2) }
    let number = numbers.count
    numbers[ObjectIdentifier(statics)] = number
    if let first = firstWithStrings[statics] {
      writer.write(count: 1)
      writer.write(count: first)
    } else {
      firstWithStrings[statics] = number
      writer.write(count: 0)
      writer.write(all: statics.parts) { $1.write($0) }
    }
  }
}

/// Reads what a ``StaticsWriter`` has written.
package struct StaticsReader {
  private var all: [Statics] = []
  /// For each object, the number of anchors in the ``Site`` of each of its instances; `nil` if no
  /// instance has a site.
  private var anchors: [Int?] = []

  package init() {}

  package mutating func read(from reader: inout SnapshotReader) throws(SnapshotError) -> Statics {
    try all[readNumber(from: &reader)]
  }

  /// Reads an object, and returns its number.
  mutating func readNumber(from reader: inout SnapshotReader) throws(SnapshotError) -> Int {
    let code = try reader.count()
    if code >= 2 {
      guard code - 2 < all.count else { throw reader.malformed("a template refers to a later one") }
      return code - 2
    }
    if code == 1 {
      let first = try reader.count()
      guard first < all.count else { throw reader.malformed("a template refers to a later one") }
      all.append(Statics(all[first].parts))
    } else {
      all.append(Statics(try reader.all { reader throws(SnapshotError) in try reader.string() }))
    }
    anchors.append(nil)
    return all.count - 1
  }

  subscript(number: Int) -> Statics { all[number] }

  /// Notes the number of anchors of a ``Site`` of an instance of the template `number`.
  ///
  /// - Throws: if another site of the same template has another number.
  mutating func note(anchors count: Int, of number: Int, in reader: SnapshotReader) throws(SnapshotError) {
    if let known = anchors[number] {
      try reader.require(known == count, "two instances of a template have \(known) and \(count) anchors")
    }
    anchors[number] = count
  }

  /// The templates that were read and whose instances have sites, with the number of their anchors.
  package var linked: [(statics: Statics, anchors: Int)] {
    zip(all, anchors).compactMap { statics, anchors in anchors.map { (statics, $0) } }
  }
}
