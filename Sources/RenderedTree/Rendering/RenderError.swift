/// Why a merged tree cannot be rendered. ``Renderer`` throws it, and the view reports it as
/// `UpdateError`.
package enum RenderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A slot has the id of a component that the view does not have.
  case unknownComponent(at: SlotPath, cid: Int)
  /// Components contain each other.
  case componentCycle(at: SlotPath, cids: [Int])
  /// Fragments, components and entries would be nested in each other on more than this many levels.
  case tooDeep(at: SlotPath, levels: Int)
  /// The page would be larger than this many bytes.
  case tooLarge(at: SlotPath, limit: Int)
  /// The number of fragments, components and entries in the page would exceed the limit.
  case tooMany(at: SlotPath, limit: Int)

  /// The path in the tree: components are under `c`, keyed entries under `k`, entries of LiveView
  /// 1.0 under `d`.
  package var path: SlotPath {
    switch self {
    case .unknownComponent(let path, _), .componentCycle(let path, _), .tooDeep(let path, _), .tooLarge(let path, _),
      .tooMany(let path, _):
      path
    }
  }

  /// The description without the path.
  package var reason: String {
    switch self {
    case .unknownComponent(_, let cid): "component \(cid) is unknown: no update has contained it"
    case .componentCycle(_, let cids):
      "components contain each other: \(cids.chain)"
    case .tooDeep(_, let levels): "the page is nested more than \(levels) levels deep"
    case .tooLarge(_, let limit):
      """
      the page is larger than \(limit >> 20) MiB, which is the limit; show fewer items at a time, with pagination or a limit \
      of the stream
      """
    case .tooMany(_, let limit): "the page has more than \(limit) fragments, components and entries"
    }
  }

  package var description: String { "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)" }
}
