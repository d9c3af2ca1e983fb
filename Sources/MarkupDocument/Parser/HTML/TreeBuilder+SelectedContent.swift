/// `selectedcontent`, in which a `select` shows a copy of its selected option.
///
/// The standard makes the copy when an option is closed ("maybe clone an option into
/// selectedcontent"). Here it is made once at the end, with the same result for a page without
/// scripts. The copied nodes have no offset, since they are not in the markup. ``run()`` calls
/// `fillSelectedContent()` once, after the last token.
extension TreeBuilder {
  mutating func fillSelectedContent() {
    let selects = tree.preorder().filter { tree[$0].element?.isHTML("select") == true }
    for select in selects where tree[select].element?["multiple"] == nil {
      if isTruncated { return }
      let below = tree.preorder(from: select).dropFirst()
      guard let target = below.first(where: { tree[$0].element?.isHTML("selectedcontent") == true }) else { continue }
      // The copy depends on the whole content of the `select`.
      repairs.mark(select)
      let options = below.filter { tree[$0].element?.isHTML("option") == true }
      let chosen =
        options.last { tree[$0].element?["selected"] != nil }
        ?? options.first { tree[$0].element?["disabled"] == nil }
      guard let chosen, !tree.chain(from: target).contains(chosen), !tree.chain(from: chosen).contains(target) else {
        continue
      }
      while let child = tree.firstChild(of: target) { tree.remove(child) }
      copyChildren(of: chosen, to: target)
    }
  }

  private mutating func copyChildren(of source: Index, to target: Index) {
    var pending = [(source: source, target: target)]
    while let (source, target) = pending.popLast() {
      for child in Array(tree.children(of: source)) {
        guard !isTruncated, formatting.takeClone(of: tree[child]) else { return }
        let copy = tree.make(tree[child])
        tree.append(copy, to: target)
        pending.append((child, copy))
      }
    }
  }
}
