internal import MarkupDocument

/// The part of an update that is about the children of one element, told by those that the diff names.
protocol ListPart {
  var parent: NodeRef { get }
  /// The child that stood first.
  var firstNode: NodeRef? { get }
  /// Where the children begin that it is about, how many there were, and how many more there are.
  var start: Int { get }
  var oldCount: Int { get }
  var growth: Int { get }
  var changes: [Change] { get }
  /// For every change, the places of the diff that caused it.
  var slots: [[String]] { get }
  /// All that the diff says of it, by position among the touched slots.
  var causes: [Int] { get }
  /// What was rendered for it.
  var size: PageSize { get }
  /// The nodes whose marks are made anew, with the marks.
  var marked: [NodeRef] { get }
  var marks: Marks { get }
  var diagnostics: [MarkupDiagnostic] { get }
  var links: [Linkage] { get }
  var hasStreams: Bool { get }
  /// The number for the next new node.
  var nextNumber: Int { get }

  /// Counts the children before it as they will be.
  mutating func shift(by growth: Int)
}
