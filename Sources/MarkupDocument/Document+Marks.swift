/// Marks change together with the index of components.
extension Document {
  mutating func replaceMarks(by marks: Marks) {
    self.marks = marks
    componentNodes = NodesByKey()
    for (node, origin) in marks.origins {
      if let component = origin.component { componentNodes.insert(node.number, for: component) }
    }
  }

  /// - Parameter components: the component whose node it was is added.
  mutating func removeMarks(of node: NodeRef, unmarking components: inout Set<Int>) {
    if let component = marks.origins.removeValue(forKey: node)?.component {
      components.insert(component)
      componentNodes.remove(node.number, for: component)
    }
    if !marks.streams.isEmpty { marks.streams[node] = nil }
  }

  mutating func addMarks(_ added: Marks) {
    if added.origins.isEmpty, added.streams.isEmpty { return }
    for (node, origin) in added.origins { mark(node, origin) }
    for (node, stream) in added.streams { marks.streams[node] = stream }
  }

  mutating func mark(_ node: NodeRef, _ origin: Origin) {
    if let known = marks.origins.updateValue(origin, forKey: node)?.component {
      componentNodes.remove(node.number, for: known)
    }
    if let component = origin.component { componentNodes.insert(node.number, for: component) }
  }
}
