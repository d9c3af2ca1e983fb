internal import MarkupDocument
internal import MirrorSupport

/// The first version at which the pages of two recordings differ. One recording is from before a
/// change of the app, the other one from after it. `compare` shows both pages.
package struct Divergence: Sendable, Hashable {
  /// The version in the recording before the change.
  package var before: ViewVersion
  /// The version in the recording after the change.
  package var after: ViewVersion
  /// The cause of the version ``before``; `nil` for a mount.
  package var cause: DiffCause?
  /// The page before the change, as lines.
  package var beforeTree: [String]
  /// The page after the change, as lines.
  package var afterTree: [String]

  /// The differences of the two pages.
  package var difference: LineDifference { LineDifference(beforeTree, afterTree) }
}

/// The mounts of two recordings, paired: the views in the order of their first mounts, and the
/// mounts of each view in order. ``Comparison`` makes one.
struct Alignment {
  private(set) var pairs: [(before: Playback, after: Playback)] = []
  /// What only one of the two recordings has, as sentences.
  private(set) var unmatched: [String] = []

  init(_ before: [Playback], _ after: [Playback]) {
    let (old, new) = (Self.byView(before), Self.byView(after))
    for (old, new) in zip(old, new) {
      for pair in zip(old, new) {
        pairs.append(pair)
        note(pair.0, pair.1)
      }
      if old.count != new.count {
        unmatched.append(
          "\(old[0].viewVersion.view) was mounted \(Formatted.count(old.count, "time")) before, and \(Formatted.count(new.count, "time")) after"
        )
      }
    }
    for view in old.dropFirst(new.count) {
      unmatched.append("\(view[0].viewVersion.view) has no counterpart after the change")
    }
    for view in new.dropFirst(old.count) {
      unmatched.append("\(view[0].viewVersion.view) has no counterpart before the change")
    }
  }

  private mutating func note(_ old: Playback, _ new: Playback) {
    guard old.diffs.count != new.diffs.count else { return }
    unmatched.append(
      "\(old.viewVersion.view) has \(Formatted.count(old.diffs.count, "diff")) before, and \(Formatted.grouped(new.diffs.count)) after"
    )
  }

  /// The mounts of each view, the views in the order of their first mounts.
  private static func byView(_ playbacks: [Playback]) -> [[Playback]] {
    var indexes: [String: Int] = [:]
    var views: [[Playback]] = []
    for playback in playbacks {
      if let index = indexes[playback.viewVersion.view] {
        views[index].append(playback)
      } else {
        indexes[playback.viewVersion.view] = views.count
        views.append([playback])
      }
    }
    return views
  }

  /// The first version at which the pages differ, in the order of the recording before the change.
  var divergence: Divergence? {
    pairs.compactMap { Self.divergence($0, $1) }.min { $0.ordinal < $1.ordinal }?.divergence
  }

  /// - Complexity: O(*changes*) while the two recordings have the same inputs. Then O(*changes* ×
  ///   *depth*) for each version that changes texts and attributes alone, and O(*bytes of the
  ///   page*) for others.
  private static func divergence(
    _ old: Playback, _ new: Playback
  ) -> (ordinal: Int, divergence: Divergence)? {
    var (before, after) = (old.first, new.first)
    var hasSameInputs = old.input == new.input
    var counterparts: Counterparts?
    func difference(at version: Int, _ cause: DiffCause?) -> Divergence? {
      let (left, right) = (ComparableTree(before), ComparableTree(after))
      if left.lines == right.lines {
        counterparts = Counterparts(left, right)
        return nil
      }
      var (oldVersion, newVersion) = (old.viewVersion, new.viewVersion)
      (oldVersion.version, newVersion.version) = (version, version)
      return Divergence(
        before: oldVersion, after: newVersion, cause: cause, beforeTree: left.lines, afterTree: right.lines)
    }
    // As long as all inputs are the same, the pages are the same too and need no comparison.
    if !hasSameInputs, let found = difference(at: 0, nil) { return (old.ordinal, found) }
    for (index, (left, right)) in zip(old.diffs, new.diffs).enumerated() {
      before.apply(left.changeSet)
      after.apply(right.changeSet)
      hasSameInputs = hasSameInputs && left.input == right.input
      if hasSameInputs || counterparts?.keepLines(left.changeSet, of: before, right.changeSet, of: after) == true {
        continue
      }
      if let found = difference(at: index + 1, left.cause) { return (left.ordinal, found) }
    }
    return nil
  }
}

/// The nodes of two pages with equal lines, paired: the two nodes of a pair have the same line.
/// ``Alignment`` makes one after it has compared whole pages. If later versions only change texts
/// and attributes, it then compares only the lines of the changed nodes.
private struct Counterparts {
  private let rights: [NodeRef: NodeRef]
  private let lefts: [NodeRef: NodeRef]

  /// - Complexity: O(*lines*).
  init(_ left: ComparableTree, _ right: ComparableTree) {
    rights = Dictionary(uniqueKeysWithValues: zip(left.nodes, right.nodes))
    lefts = Dictionary(uniqueKeysWithValues: zip(right.nodes, left.nodes))
  }

  /// Whether the lines of the two pages, and of each pair of nodes, are still equal after their
  /// changes.
  ///
  /// - Parameters:
  ///   - before: the left page after its changes.
  ///   - after: the right page after its changes.
  /// - Returns: `false` if the lines differ, or if only a comparison of the whole pages can decide.
  func keepLines(_ old: ChangeSet, of before: Document, _ new: ChangeSet, of after: Document) -> Bool {
    guard let left = Self.touched(by: old), let right = Self.touched(by: new) else { return false }
    // A node without a line, such as a blank text, has no counterpart, so a missing counterpart
    // counts as an empty line.
    func haveSameLine(_ left: NodeRef?, _ right: NodeRef?) -> Bool {
      guard let line = left.map({ ComparableTree.line(of: $0, in: before) }) ?? "" else { return false }
      return line == right.map { ComparableTree.line(of: $0, in: after) } ?? ""
    }
    return left.allSatisfy { haveSameLine($0, rights[$0]) } && right.allSatisfy { haveSameLine(lefts[$0], $0) }
  }

  /// The nodes whose texts or attributes changed; `nil` if nodes were added, removed or moved.
  private static func touched(by changes: ChangeSet) -> [NodeRef]? {
    var nodes: [NodeRef] = []
    for change in changes.changes {
      switch change {
      case .text(let node, _, _, _), .attributes(let node, _, _): nodes.append(node)
      case .add, .remove, .move: return nil
      }
    }
    return nodes
  }
}
