/// Why a merged tree has no markup.
package enum RenderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A slot names a component that the view does not have.
  case unknownComponent(at: SlotPath, cid: Int)
  /// Components that contain each other.
  case componentCycle(at: SlotPath, cids: [Int])
  case tooDeep(at: SlotPath, levels: Int)
  /// The page would be larger than this many bytes.
  case tooLarge(at: SlotPath, limit: Int)
  /// The page would have more fragments, components and entries than this.
  case tooMany(at: SlotPath, limit: Int)

  /// Where in the tree: components stand at `c`, entries of a comprehension at `k`.
  package var path: SlotPath {
    switch self {
    case .unknownComponent(let path, _), .componentCycle(let path, _), .tooDeep(let path, _), .tooLarge(let path, _),
      .tooMany(let path, _):
      path
    }
  }

  package var reason: String {
    switch self {
    case .unknownComponent(_, let cid): "component \(cid) is not known: no update has brought it"
    case .componentCycle(_, let cids):
      "components contain each other: \(cids.chain)"
    case .tooDeep(_, let levels): "the page nests deeper than \(levels) levels"
    case .tooLarge(_, let limit): "the page is larger than \(limit >> 20) MiB"
    case .tooMany(_, let limit): "the page has more than \(limit) fragments, components and entries"
    }
  }

  package var description: String { "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)" }
}
