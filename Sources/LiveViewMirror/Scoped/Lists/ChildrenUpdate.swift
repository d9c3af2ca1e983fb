internal import MarkupDocument

/// A part of an update that changes the children of one element. Children that the diff does not name are not visited.
protocol ChildrenUpdate {
  var parent: NodeRef { get }
  /// The first child before the update.
  var firstNode: NodeRef? { get }
  /// The index of the part's first child before the update.
  var start: Int { get }
  /// The number of the part's children before the update.
  var oldCount: Int { get }
  /// The number of children that the part gains; negative if it loses children.
  var growth: Int { get }
  var changes: [Change] { get }
  /// For each change, the names of the slots that caused it.
  var slots: [[String]] { get }
  /// The touched slots of the part, as positions in `TouchedSlots/slots`.
  var causes: [Int] { get }
  /// The size of the rendered markup.
  var size: PageSize { get }
  /// The nodes whose marks are replaced by ``marks``.
  var marked: [NodeRef] { get }
  var marks: Marks { get }
  var diagnostics: [MarkupDiagnostic] { get }
  var parsed: [ParsedRegion] { get }
  var hasStreams: Bool { get }
  /// The ids and components that the part contains.
  var claims: Claims { get }

  /// Adds the growth of the parts before this one to the positions of its changes.
  mutating func shift(by growth: Int)
}
