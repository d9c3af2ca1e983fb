/// Every change of the marks also updates the index of components.
extension Document {
  mutating func replaceMarks(by marks: Marks) {
    self.marks = marks
    componentNodes = NodesByKey()
    for (node, origin) in marks.origins {
      if let component = origin.component { componentNodes.insert(node.number, for: component) }
    }
  }

  /// - Parameter components: receives the component that the node belonged to.
  mutating func removeMarks(of node: NodeRef, unmarking components: inout Set<Int>) {
    if let component = marks.origins.removeValue(forKey: node)?.component {
      components.insert(component)
      componentNodes.remove(node.number, for: component)
    }
    if !marks.roots.isEmpty { marks.roots[node] = nil }
    marks.removeClientState(of: node)
  }

  mutating func addMarks(_ added: Marks) {
    for (node, origin) in added.origins { mark(node, origin) }
    marks.addStates(added)
  }

  mutating func mark(_ node: NodeRef, _ origin: Origin) {
    if let known = marks.origins.updateValue(origin, forKey: node)?.component {
      componentNodes.remove(node.number, for: known)
    }
    if let component = origin.component { componentNodes.insert(node.number, for: component) }
  }
}
