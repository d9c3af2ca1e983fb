internal import MarkupDocument
internal import RenderedTree

/// A range of siblings in the document, and the new markup for this range. Most changes of a
/// ``ScopedUpdate`` come from regions. Changes of a single start tag, and removed or moved entries
/// of lists and streams, need no region.
///
/// | change | range | markup |
/// | --- | --- | --- |
/// | a slot | from the nearest node before it that surely stays to the nearest one after it | everything in between |
/// | a slot of an irregular element | the element | the element |
/// | a component that was sent whole | its nodes | the component |
/// | new entries of a list | empty, where the list begins | the entries |
/// | a new item of a stream | empty, at an end of the container | the item |
/// | a changed item of a stream | the item | the item |
///
/// ``changes(in:claiming:causedBy:)`` compares the range with its markup.
///
/// ``RegionFinder`` finds the regions of slots and components. Lists and streams make the regions
/// of their entries.
struct Region {
  /// The parent and the siblings on both sides. Both siblings are children of the parent in the
  /// document before the update.
  struct Location: Hashable {
    var parent: NodeRef
    /// `nil` for the beginning of the parent.
    var after: NodeRef?
    /// `nil` for the end of the parent.
    var before: NodeRef?
    /// Whether the region is one static element or one component. Otherwise it is everything
    /// between its neighbours.
    var isElement = false
  }

  /// The source of the region's markup.
  enum Content {
    /// A static element of an instance, with its content.
    case element(anchor: Int, of: PathInstance)
    /// A component, with the depth of the instance that shows it.
    case component(Int, depth: Int)
    /// Everything between two boundaries. Each boundary belongs to an instance on the path to the
    /// changed slot, and the two instances may differ.
    case between(Boundary, Boundary, around: ChangedSlot, on: [PathInstance])
    /// Adjacent entries of the list in a slot of an instance. Each of them must be one element.
    case entries(Range<Int>, of: Comprehension, slot: Int, in: PathInstance)
    /// An entry of a stream, and the stream's operation. The entry must have exactly one element;
    /// text and comments around this element are dropped.
    case item(Int, of: Comprehension, in: PathInstance, StreamPatch)
  }

  /// One end of a region's markup.
  struct Boundary {
    enum MarkupPosition {
      /// In the strings of the instance's template.
      case strings(Template.StringPosition)
      /// Before the entry with this index of the comprehension in the changed slot.
      case entry(Int)
    }

    /// The sibling next to the region; `nil` if the region extends to the start or end of its
    /// parent.
    var node: NodeRef?
    /// The index of the instance on the path.
    var instance: Int
    var position: MarkupPosition
  }

  /// The changed slot of an instance on the path. If it holds a comprehension, the changed entry
  /// may be known too.
  struct ChangedSlot {
    var instance: Int
    var slot: Int
    var entry: Int?
  }

  /// Rendered markup, and the parts of the tree that are completely in it. After the update, each
  /// part is linked to the region's nodes.
  struct Markup {
    var rendering = Rendering()
    /// The parts, and the offset in the markup at which each begins.
    var parts: [(part: LinkedPart, offset: Int)] = []

    var bytes: [UInt8] { rendering.markup }
  }

  /// A part of the tree that is linked to the nodes of a region.
  enum LinkedPart {
    case slot(of: InstancePath, Int)
    case entry(of: InstancePath, slot: Int, Int)
    /// A static element of an instance.
    case element(of: InstancePath, anchor: Int)
    /// A component, with the depth of the instance that shows it.
    case component(Int, depth: Int)
  }

  let location: Location
  let content: Content
  /// Empty until the region is rendered.
  var markup: Markup
  /// The touched slots in the region, as positions in `TouchedSlots/slots`.
  var causes: [Int]

  init(_ content: Content, at location: Location, showing markup: Markup = Markup(), causes: [Int] = []) {
    (self.content, self.location, self.markup, self.causes) = (content, location, markup, causes)
  }

  /// The region's nodes in the document before the update. They are children of the region's
  /// parent.
  func nodes(in document: Document) -> [NodeTree.Index] {
    let (tree, end) = (document.tree, location.before.flatMap(document.treeIndex(of:)))
    var child =
      location.after.flatMap(document.treeIndex(of:)).map(tree.next)
      ?? document.treeIndex(of: location.parent).flatMap(tree.firstChild)
    var nodes: [NodeTree.Index] = []
    while let node = child, node != end {
      nodes.append(node)
      child = tree.next(of: node)
    }
    return nodes
  }
}

extension Region.Location {
  /// The location of one node.
  init?(of node: NodeRef, in document: Document) {
    guard let place = document.treeIndex(of: node), let parent = document.parent(of: node) else { return nil }
    self.init(
      parent: parent, after: document.tree.previous(of: place).map(document.ref),
      before: document.tree.next(of: place).map(document.ref))
  }
}
