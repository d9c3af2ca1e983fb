internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
internal import NodeObservation

/// `GET /views/{view}/page/patch?epoch=&from=&version=`: the changes that bring the page in a frame
/// from one version to another. `Public/frame/frame.js` requests it.
///
/// It derives from the change sets between both versions. So its cost is in proportion to these
/// change sets, while the page may have 100,000 nodes. It describes the result and not the steps:
/// the attributes that an element has at the new version, and the content between two elements that
/// have kept their places. Applied to a page that has some of the changes already, it gives the
/// same result.
struct DocumentPatch {
  /// An attribute's value at the new version; `nil` if the element does not have it.
  typealias Attributes = [(name: String, value: String?)]

  /// The content between two elements that have kept their places, or between one such element and
  /// the start or end of its parent.
  struct Run {
    enum Item {
      case text(String)
      /// An element that the page has, perhaps at another place.
      case node(Int)
      /// Numbered markup: a new element with its number, or a comment.
      case markup(String, node: Int?)
    }

    let parent: Int
    /// The element before the run; `nil` at the start of the parent.
    var after: Int?
    /// The element after the run; `nil` at the end of the parent.
    var before: Int?
    var content: [Item] = []
  }

  let epoch: Int
  let from: Int
  let version: Int
  /// The changed attributes of each element, in the order of the elements' numbers.
  private(set) var attributes: [(node: Int, changes: Attributes)] = []
  /// Elements that the page no longer has.
  private(set) var removed: [Int] = []
  /// In the order of their parents' numbers, and of ``Run/after`` for the same parent.
  var runs: [Run] = []

  /// Why a page must load the whole document.
  enum Refusal: String, Error {
    case epoch = "the view was mounted again"
    case version = "a version is not kept"
    case dialect = "the views of a native document are drawn as a whole"
    case size = "the changes are larger than the document"
  }

  /// The size of the patch in bytes, estimated. ``grow(by:)`` counts each part, and refuses a patch
  /// that is larger than ``largest``.
  private var size = 0
  private let largest: Int

  /// - Parameter document: the document of `version`.
  /// - Complexity: O(*changes* between the versions, with the nodes that they add), plus
  ///   O(*children*) for a parent from which texts were removed.
  init(of view: ViewState, epoch: Int, from: Int, to version: Int, _ document: Document) throws(Refusal) {
    guard epoch == view.epoch else { throw .epoch }
    guard document.dialect == .html else { throw .dialect }
    guard (0...view.version).contains(from) else { throw .version }
    (self.epoch, self.from, self.version) = (epoch, from, version)
    largest = Self.smallestLimit + document.count * Self.bytesOfNode
    var touched = TouchedChildren()
    let direction: TouchedChildren.Direction = from <= version ? .forwards : .backwards
    for step in 0..<abs(version - from) {
      let changed = direction == .forwards ? from + 1 + step : from - step
      guard let record = view.log.record(of: changed) else { throw .version }
      do throws(TouchedChildren.Failure) { try touched.add(record.changeSet, direction) } catch { throw .size }
    }
    try writeAttributes(touched, document)
    try writeRuns(touched, document)
    for node in touched.removed where document.treeIndex(of: NodeRef(epoch: epoch, number: node)) == nil {
      removed.append(node)
    }
    try grow(by: removed.count * 8)
  }

  /// A patch of at most this many bytes is never refused, because loading a whole document costs
  /// more for its requests alone.
  private static let smallestLimit = 4_096
  /// The usual size of a node in a page, in bytes.
  private static let bytesOfNode = 24

  mutating func grow(by bytes: Int) throws(Refusal) {
    size += bytes
    if size > largest { throw .size }
  }

  private mutating func writeAttributes(_ touched: TouchedChildren, _ document: Document) throws(Refusal) {
    for node in touched.attributes.keys.sorted() where !touched.new.contains(node) {
      guard let element = document.content(of: NodeRef(epoch: epoch, number: node))?.element else { continue }
      let changes = (touched.attributes[node] ?? []).sorted().map { (name: $0, value: element[$0]) }
      attributes.append((node, changes))
      try grow(by: 12 + changes.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 8 })
    }
  }

  mutating func append(_ run: Run) throws(Refusal) {
    runs.append(run)
    try grow(
      by: run.content.reduce(48) { size, item in
        switch item {
        case .text(let text): size + text.utf8.count + 12
        case .node: size + 16
        case .markup(let markup, _): size + markup.utf8.count + 32
        }
      })
  }
}
