package import LiveViewMirror
package import MarkupDocument

/// Two versions of a document side by side: rows of aligned lines, with the changes between them.
/// `ViewPage` shows it as *Before and after*.
///
/// The rows derive from a change set and not from a comparison of texts. Between a version and the
/// next one, the change set is that of the log, so the rows agree with the log. Without limits, the
/// lines of the left side are the whole document before the changes, and those of the right side
/// the whole document after them.
///
/// ```
///   <ul>              |   <ul>
/// ⇄   <li id="b">     |
///     <li id="a">     |     <li id="a">
/// ~     1             | ~     2
///     </li>           |     </li>
///                     | ⇄   <li id="b">
/// ```
///
/// A node that moved is in two rows with all nodes below it: at its former place on the left, and
/// at its new place on the right. In both rows, ``Row/elsewhere`` is the line of the node on the
/// other side.
package struct SideBySide: Sendable {
  /// The form of the lines.
  package enum Form: String, Sendable, CaseIterable {
    /// Start tags, end tags and texts, one node per line.
    case markup
    /// One line per node, without end tags.
    case tree
  }

  /// One line of one side.
  package struct Line: Sendable, Hashable {
    /// The tag, text or comment, shortened to ``Limits/line`` characters.
    package var text: String
    /// How many levels the node is below the first row, whose depth is 0.
    package var depth: Int
  }

  /// The reason for a row.
  package enum Kind: String, Sendable, CaseIterable {
    case same, changed, added, removed, moved
    /// Nodes that are not shown.
    case omitted
  }

  package struct Row: Sendable, Hashable {
    package var kind: Kind
    /// The node of the lines; `nil` for omitted nodes.
    package var node: NodeRef?
    package var before: Line?
    package var after: Line?
    /// Whether the node itself moved. The nodes below it are ``Kind/moved``, too.
    package var isMoved = false
    /// For a moved node, and for a changed node below it: the line of the other side, where the
    /// node has another place.
    package var elsewhere: Line?
    /// Whether the lines are end tags.
    package var isEnd = false
    /// The number of nodes that this row represents on each side; 0 except in an ``Kind/omitted``
    /// row.
    package var omittedBefore = 0
    package var omittedAfter = 0
  }

  package struct Limits: Sendable {
    /// The maximum number of rows.
    package var rows = 400
    /// The number of unchanged siblings that are shown before and after a change. Their content is
    /// limited by ``small``.
    package var context = 2
    /// An unchanged subtree with more nodes is shown as its first line and a number.
    package var small = 6
    /// The maximum number of nodes of an added, removed or moved subtree.
    package var subtree = 80
    /// The maximum number of characters of a line.
    package var line = 300
    /// Whether texts of white space, the comments of HEEx, and LiveView's unchanged attributes are
    /// left out.
    package var foldsBlanks = true

    package init() {}
  }

  /// The two versions.
  package let from: Int
  package let to: Int
  package let form: Form
  /// The node around all changes. The rows begin with it, or with its first child if it is the root
  /// of the document.
  package let top: NodeRef
  package let rows: [Row]
  /// The number of changes, without those of ``blankChangeCount``.
  package let changes: Int
  /// The number of changes that concern only white space or HEEx's comments; 0 unless
  /// ``Limits/foldsBlanks``.
  package let blankChangeCount: Int
  /// The number of ``changes`` that have no row because they are beyond the limits.
  package let unshownChangeCount: Int
}

extension ViewState {
  /// Two versions side by side, in the smallest part of the page that contains all changes.
  ///
  /// - Returns: `nil` if one of the versions does not exist yet or is not kept any more.
  /// - Complexity: that of ``comparison(from:to:)``.
  package func sideBySide(
    from: Int, to: Int, form: SideBySide.Form = .markup, limits: SideBySide.Limits = .init()
  ) -> SideBySide? {
    guard let old = document(at: from), let new = document(at: to) else { return nil }
    let changes = self.changes(from: (from, old), to: (to, new))
    return SideBySide(from: (from, old), to: (to, new), changes, form: form, limits: limits)
  }
}

extension SideBySide {
  /// - Parameter changeSet: applied to the first document, it gives the second one.
  /// - Complexity: O(*nodes of both documents* + *changes*).
  package init(
    from old: (version: Int, document: Document), to new: (version: Int, document: Document),
    _ changeSet: ChangeSet, form: Form = .markup, limits: Limits = .init()
  ) {
    var writer = RowWriter(
      old: old.document, new: new.document, marks: RowMarks(changeSet, old.document, new.document), form: form,
      limits: limits)
    writer.write()
    (from, to, self.form, top, rows) = (old.version, new.version, form, writer.marks.top, writer.rows)
    let shown = changeSet.changes.filter { !limits.foldsBlanks || !$0.isSeldomOfInterest }
    changes = shown.count
    blankChangeCount = changeSet.changes.count - shown.count
    unshownChangeCount = shown.count { !writer.isShown($0) }
  }
}
