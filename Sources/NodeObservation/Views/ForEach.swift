/// A view for each of some values, told apart by their identities: a view goes with its value wherever that moves, and
/// ends when it is gone.
///
/// ```swift
/// ForEach(element.childElements) { row in Tag("li") { ElementView(row) } }
/// ```
///
/// Where two values have one identity, the second counts as another: `id` *and* its order among those that share it.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  let data: Data
  let id: (Data.Element) -> ID
  let content: (Data.Element) -> Content

  /// A view for each value, known by what `id` says of it.
  public init(
    _ data: Data, id: @escaping (Data.Element) -> ID, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  /// A view for each value, known by its own identity.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  /// - Complexity: O(*values*).
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    var known: [ID: Int] = [:]
    known.reserveCapacity(view.data.count)
    for value in view.data {
      let id = view.id(value)
      let ordinal = known[id, default: 0]
      known[id] = ordinal + 1
      expansion.at(.id(AnyHashable(id), ordinal: ordinal)) { Content._expand(view.content(value), into: &$0) }
    }
  }
}
