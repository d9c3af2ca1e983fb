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

  /// What its markup is made of.
  enum Content {
    /// A static element of an instance.
    case element(anchor: Int, Level)
    /// A component, with how deep the instance is that shows it.
    case component(Int, level: Int)
    case between(RegionFinder.Edge, RegionFinder.Edge, around: RegionFinder.Center, in: [Level])
  }

  var key: Key
  let content: Content
  /// Empty until ``RegionFinder/render(_:)``: a region that is found a second time is not rendered again.
  var rendering = Rendering()
  /// With the place in the markup where each begins.
  var units: [(unit: Unit, offset: Int)] = []
  var isElement: Bool { key.isElement }
  /// The slots of the update that it shows, by their position among the touched ones.
  var causes: [Int]

  init(_ content: Content, at key: Key, causes: [Int]) {
    self.content = content
    self.key = key
    self.causes = causes
  }
}

/// Why an update takes the full path.
struct FullPath: Error {
  var reason: String
  /// The tree with the diff merged into it, where that has been done already.
  var merged: (rendered: Rendered, touched: TouchedSlots)?

  init(_ reason: String, after merged: (rendered: Rendered, touched: TouchedSlots)? = nil) {
    self.reason = reason
    self.merged = merged
  }
}
