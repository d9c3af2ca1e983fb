/// Marks change together with the index of components.
extension Document {
  mutating func replaceMarks(by marks: Marks) {
    self.marks = marks
    componentNodes = NodesByKey()
    for (node, origin) in marks.origins where origin.group == Origin.components {
      componentNodes.insert(node.number, for: origin.member)
    }
  }

  mutating func removeMarks(of node: NodeRef) {
    if let origin = marks.origins.removeValue(forKey: node), origin.group == Origin.components {
      componentNodes.remove(node.number, for: origin.member)
    }
    if !marks.streams.isEmpty { marks.streams[node] = nil }
  }

  mutating func addMarks(_ added: Marks) {
    for (node, origin) in added.origins { mark(node, origin) }
    for (node, stream) in added.streams { marks.streams[node] = stream }
  }

  mutating func mark(_ node: NodeRef, _ origin: Origin) {
    if let known = marks.origins.updateValue(origin, forKey: node), known.group == Origin.components {
      componentNodes.remove(node.number, for: known.member)
    }
    if origin.group == Origin.components { componentNodes.insert(node.number, for: origin.member) }
  }
}
