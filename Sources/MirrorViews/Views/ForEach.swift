/// A view for each value of a collection. The identity of a value also identifies its view: if the
/// value moves, the view moves with it; if the value is removed, the view ends.
///
/// ```swift
/// ForEach(element.childElements) { row in Tag("li") { ElementView(row) } }
/// ```
///
/// If several values have the same identity, their views are distinguished by the order of these
/// values. Programs use `ForEach` in bodies, and so do native views, such as the view of a
/// `Picker`.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  let data: Data
  let id: (Data.Element) -> ID
  let content: (Data.Element) -> Content

  /// Creates a view for each value, identified by `id`.
  public init(
    _ data: Data, id: @escaping (Data.Element) -> ID, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  /// Creates a view for each value, identified by the value's `id` property.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  /// Creates a view for each number: `ForEach(0..<5) { Text("\($0)") }`.
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content)
  where Data == Range<Int>, ID == Int {
    self.init(data, id: \.self, content: content)
  }

  /// Creates a view for each value of a binding, with a binding to the value: `ForEach($people) {
  /// $person in … }`. If the value moves in the collection, the binding still refers to it. When
  /// the value is removed from the collection, the binding keeps the last value, and setting it has
  /// no effect.
  public init<Values: MutableCollection & RandomAccessCollection>(
    _ values: Binding<Values>, @ViewBuilder content: @escaping (Binding<Values.Element>) -> Content
  ) where Data == [Binding<Values.Element>], Values.Element: Identifiable, ID == Values.Element.ID {
    self.init(values, id: \.id, content: content)
  }

  /// Creates a view for each value of a binding, identified by `id`, with a binding to the value.
  public init<Values: MutableCollection & RandomAccessCollection>(
    _ values: Binding<Values>, id: @escaping (Values.Element) -> ID,
    @ViewBuilder content: @escaping (Binding<Values.Element>) -> Content
  ) where Data == [Binding<Values.Element>] {
    let known = values.wrappedValue
    let parts = zip(known.indices, known).map { index, value in
      // Setting the value may change its identity.
      var (value, own) = (value, id(value))
      func place(in now: Values) -> Values.Index? {
        // The original place is tried first, because several values may have the same identity.
        if now.startIndex <= index, index < now.endIndex, id(now[index]) == own { return index }
        return now.firstIndex { id($0) == own }
      }
      return Binding(
        get: {
          let now = values.wrappedValue
          if let place = place(in: now) { value = now[place] }
          return value
        },
        set: { new in
          guard let place = place(in: values.wrappedValue) else { return }
          (value, own) = (new, id(new))
          values.wrappedValue[place] = new
        })
    }
    self.init(parts, id: { id($0.wrappedValue) }, content: content)
  }

  /// Writes the views into the enclosing body.
  ///
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
