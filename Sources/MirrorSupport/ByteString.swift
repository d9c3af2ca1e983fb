/// A string that is compared byte for byte, as a key of a table. The hash depends on a random seed,
/// so that nobody can choose many strings with the same hash. A `Document` finds elements by such
/// keys, and a `SnapshotWriter` finds repeated strings.
public struct ByteString: Hashable, Sendable {
  public let text: String

  @inlinable public init(_ text: String) { self.text = text }

  @inlinable public static func == (a: ByteString, b: ByteString) -> Bool { a.text.hasSameBytes(as: b.text) }

  @inlinable public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
