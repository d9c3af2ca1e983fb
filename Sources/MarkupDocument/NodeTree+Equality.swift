/// Equality of what trees say, whatever their storage.
extension NodeTree {
  /// Whether two trees hold the same nodes in the same order. Attributes are compared as sets, offsets not at all.
  ///
  /// - Complexity: O(*nodes*).
  package func isEqual(to other: NodeTree, ignoringComments: Bool = false) -> Bool {
    isEqual(Self.root, to: Self.root, of: other, ignoringComments: ignoringComments)
  }

  /// Whether a node, with all below it, equals a node of another tree.
  package func isEqual(_ node: Index, to otherNode: Index, of other: NodeTree, ignoringComments: Bool = false) -> Bool {
    firstDifference(from: node, to: otherNode, of: other, ignoringComments: ignoringComments) == nil
  }

  /// The first place in document order where two trees differ: the nodes there, `nil` for one that has come to its end.
  ///
  /// - Complexity: O(*nodes*).
  package func firstDifference(
    from node: Index = root, to otherNode: Index = root, of other: NodeTree, ignoringComments: Bool = false
  ) -> (mine: Index?, theirs: Index?)? {
    var mine: Step? = Step(node: node, depth: 0)
    var theirs: Step? = Step(node: otherNode, depth: 0)
    while let left = mine, let right = theirs {
      guard left.depth == right.depth, self[left.node].isEqual(to: other[right.node]) else {
        return (left.node, right.node)
      }
      mine = step(after: left, within: node, ignoringComments: ignoringComments)
      theirs = other.step(after: right, within: otherNode, ignoringComments: ignoringComments)
    }
    return mine == nil && theirs == nil ? nil : (mine?.node, theirs?.node)
  }

  /// A node on a walk in document order, and how deep below the first one it stands.
  struct Step {
    var node: Index
    var depth: Int
  }

  func step(after step: Step, within top: Index, ignoringComments: Bool = false) -> Step? {
    var step = step
    repeat {
      if let child = firstChild(of: step.node) {
        step = Step(node: child, depth: step.depth + 1)
      } else {
        while step.node != top, next(of: step.node) == nil {
          guard let parent = parent(of: step.node) else { return nil }
          step = Step(node: parent, depth: step.depth - 1)
        }
        guard step.node != top, let sibling = next(of: step.node) else { return nil }
        step.node = sibling
      }
    } while ignoringComments && isComment(step.node)
    return step
  }

  private func isComment(_ node: Index) -> Bool {
    if case .comment = self[node] { true } else { false }
  }
}

extension NodeContent {
  /// With attributes as sets.
  package func isEqual(to other: NodeContent) -> Bool {
    guard case .element(let mine) = self, case .element(let theirs) = other else {
      return isIdentical(to: other)
    }
    return mine.tag == theirs.tag && mine.namespace == theirs.namespace && mine.sameAttributes(as: theirs)
  }
}
