/// Equality of the content of trees, whatever their storage.
extension NodeTree {
  /// Whether two trees have the same nodes in the same order. The order of attributes and the offsets are ignored.
  ///
  /// - Complexity: O(*nodes*).
  package func isEqual(to other: NodeTree, ignoringComments: Bool = false) -> Bool {
    isEqual(Self.root, to: Self.root, of: other, ignoringComments: ignoringComments)
  }

  /// Whether the subtree of a node equals a subtree of another tree.
  package func isEqual(_ node: Index, to otherNode: Index, of other: NodeTree, ignoringComments: Bool = false) -> Bool {
    firstDifference(from: node, to: otherNode, of: other, ignoringComments: ignoringComments) == nil
  }

  /// The first nodes in document order in which two trees differ; `nil` for a tree that has no node left there. The result is
  /// `nil` if the trees are equal.
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

  /// A node during a walk in document order, and its depth below the node where the walk began.
  struct Step {
    var node: Index
    var depth: Int
  }

  /// The next step of a walk in document order within `top`.
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
  /// Equality that ignores the order of attributes.
  package func isEqual(to other: NodeContent) -> Bool {
    guard case .element(let mine) = self, case .element(let theirs) = other else {
      return isIdentical(to: other)
    }
    return mine.tag == theirs.tag && mine.namespace == theirs.namespace && mine.sameAttributes(as: theirs)
  }
}
