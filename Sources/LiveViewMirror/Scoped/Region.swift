internal import MarkupDocument
internal import RenderedTree

/// A part of the page that is rendered, parsed and compared by itself: what stands between two siblings.
struct Region {
  /// Something that is in the region whole, and is found anew in it.
  enum Unit {
    case slot(of: InstancePath, Int)
    case entry(of: InstancePath, slot: Int, Int)
    /// A static element of an instance.
    case element(of: InstancePath, anchor: Int)
    /// A component, with how deep the instance stands that shows it.
    case component(Int, level: Int)
  }

  struct Key: Hashable {
    var parent: NodeRef
    var after: NodeRef?
    var before: NodeRef?
    /// Whether it is one static element or component and not all that stands between its neighbours.
    var isElement: Bool
  }

  var key: Key
  var rendering: Rendering
  /// With the place in the markup where each begins.
  var units: [(unit: Unit, offset: Int)]
  var isElement: Bool { key.isElement }
  /// The slots of the update that it shows, by their position among the touched ones.
  var causes: [Int]
}

/// Why an update takes the full path.
struct FullPath: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
