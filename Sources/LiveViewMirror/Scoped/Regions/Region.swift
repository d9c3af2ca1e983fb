internal import MarkupDocument
internal import RenderedTree

/// Siblings that are rendered, parsed and compared together.
struct Region {
  /// The parent and the siblings on both sides.
  struct Location: Hashable {
    var parent: NodeRef
    /// `nil` for the beginning of the parent.
    var after: NodeRef?
    /// `nil` for the end of the parent.
    var before: NodeRef?
    /// Whether the region is one static element or one component. Otherwise it is everything between its neighbours.
    var isElement: Bool
  }

  /// The source of the region's markup.
  enum Content {
    /// A static element of an instance, with its content.
    case element(anchor: Int, of: PathInstance)
    /// A component, with the depth of the instance that shows it.
    case component(Int, depth: Int)
    /// Everything between two boundaries. They may belong to different instances on the path to the changed slot.
    case between(Boundary, Boundary, around: ChangedSlot, on: [PathInstance])
  }

  /// One end of a region's markup.
  struct Boundary {
    enum Place {
      /// In the strings of the instance's template.
      case strings(Template.Place)
      /// Before the entry with this index of the comprehension in the changed slot.
      case entry(Int)
    }

    /// The sibling next to the region; `nil` if the region extends to the start or end of its parent.
    var node: NodeRef?
    /// The index of the instance on the path.
    var instance: Int
    var place: Place
  }

  /// The changed slot of an instance on the path. If it holds a comprehension, the changed entry may be known too.
  struct ChangedSlot {
    var instance: Int
    var slot: Int
    var entry: Int?
  }

  /// A part of the tree that is completely in the region. After the update it is linked to the region's nodes.
  enum LinkedPart {
    case slot(of: InstancePath, Int)
    case entry(of: InstancePath, slot: Int, Int)
    /// A static element of an instance.
    case element(of: InstancePath, anchor: Int)
    /// A component, with the depth of the instance that shows it.
    case component(Int, depth: Int)
  }

  /// A part, and the offset in the markup at which it begins.
  typealias PartOffset = (part: LinkedPart, offset: Int)

  let location: Location
  let content: Content
  /// Empty until the region is rendered.
  var rendering = Rendering()
  var parts: [PartOffset] = []
  /// The touched slots in the region, as positions in `TouchedSlots/slots`.
  var causes: [Int]

  init(_ content: Content, at location: Location, causes: [Int]) {
    self.content = content
    self.location = location
    self.causes = causes
  }
}
