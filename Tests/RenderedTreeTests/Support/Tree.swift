import RenderedTree
import Testing

/// A tree that merges JSON updates like a view.
struct Tree {
  private(set) var rendered: Rendered
  private let decoder = WireDecoder()

  init(_ mount: String) throws {
    guard case .rendered(let diff) = try decoder.decode(Array(mount.utf8), as: .rendered)[0].get().content else {
      throw WireError.wrongShape(at: SlotPath(), reason: "no mount")
    }
    rendered = try Rendered(mounting: diff)
    _ = try rendered.render()
  }

  /// The slots that the diff touched: `path`, or `(path)` if the value is unchanged.
  @discardableResult
  mutating func merge(_ diff: String) throws -> [String] {
    guard case .diff(let diff) = try decoder.decode(Array(diff.utf8), as: .diff)[0].get().content else { return [] }
    let (merged, touched) = try rendered.merging(diff)
    _ = try merged.render()
    rendered = merged
    return touched.slots.indices.map { slot in
      let path = touched.path(of: slot)
      return touched.slots[slot].isChanged ? "\(path)" : "(\(path))"
    }
  }

  var markup: String {
    get throws { String(decoding: try rendered.render().markup, as: UTF8.self) }
  }

  mutating func forget() { rendered.forgetStreamEntries() }
  mutating func remove(_ cids: [Int]) { rendered.removeComponents(cids) }

  /// The serial numbers of a list's entries.
  func serials(ofSlot index: Int) -> [Int] {
    guard case .comprehension(let list) = rendered.root.slots[index] else { return [] }
    return list.entries.map(\.serial)
  }
}
