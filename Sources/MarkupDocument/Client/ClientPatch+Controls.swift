/// The rules by which morphdom patches the state of the form controls `select`, `option` and
/// `textarea`. The walk in `ClientPatch+Morph.swift` calls them for each control.
extension ClientPatch {
  /// Updates the text of a `textarea`, if its first child is a text; otherwise no text is added. If
  /// the new text is empty and the old one equals the placeholder, nothing changes.
  ///
  /// - Client: `specialElHandlers` in `morphdom.js`, 1.0+. Origin: none known.
  mutating func copyText(ofTextarea to: PatchTree.Index, to from: PatchTree.Index) {
    guard let first = tree.firstChild(from), case .text(let old) = tree[first].content else { return }
    var new = ""
    var child = tree.firstChild(to)
    while let step = child {
      if case .text(let text) = tree[step].content { new += text }
      child = tree.next(step)
    }
    if old == new || new.isEmpty && old == tree.element(from)?["placeholder"] ?? "" { return }
    tree[first].content = .text(new)
    tree[first].isPatched = true
    if let source = tree.firstChild(to) { pair(first, with: source) }
  }

  /// Gives an `option` the selection state that the new markup's option has in a browser. Runs
  /// after the attributes and children of a control were patched.
  ///
  /// - Client: `specialElHandlers` in `morphdom.js`, 1.0+. Origin: none known.
  mutating func finishControl(_ from: PatchTree.Index, like to: PatchTree.Index) {
    guard tree.isPatchedByBrowser, let element = tree.element(from), element.isHTML("option") else { return }
    let isSelected = selected(to)
    guard let list = list(of: from), !tree[list].isMultiple else { return }
    if isDirect(from, in: list) {
      setSelected(isSelected, of: from)
    } else if isSelected, !rules.isJoin {
      // The client does not deselect this option immediately before patching it. But the previous
      // patch left all options of the list deselected, so the client selects it and sets
      // `selected`.
      setSelected(true, of: from)
    }
  }

  /// Whether an option is in a list, or in a group of it, without another element between them. The
  /// client deselects such options before it patches them.
  private func isDirect(_ option: PatchTree.Index, in list: PatchTree.Index) -> Bool {
    guard let parent = tree.parent(option) else { return false }
    return parent == list || tree.element(parent)?.isHTML("optgroup") == true && tree.parent(parent) == list
  }

  /// Updates ``selections`` if protected attributes change which option of the new markup is
  /// selected. The client writes the attributes that `JS.ignore_attributes` protects into the new
  /// markup's option before it patches the document's option.
  mutating func noteSelection(
    of option: PatchTree.Index, from: [Element.Attribute], to: [Element.Attribute]
  ) {
    guard from.count != to.count, tree.isPatchedByBrowser, tree.element(option)?.isHTML("option") == true,
      let list = list(of: option), !tree[list].isMultiple
    else { return }
    let (before, after) = (from.contains { $0.name == "selected" }, to.contains { $0.name == "selected" })
    if before, !after, selection(in: list) == option { selections[list] = firstOption(of: list) ?? PatchTree.none }
    if after, !before { selections[list] = option }
  }

  private mutating func setSelected(_ isSelected: Bool, of option: PatchTree.Index) {
    guard var element = tree.element(option), (element["selected"] != nil) != isSelected else { return }
    if isSelected {
      element.attributes.append(Element.Attribute("selected", ""))
    } else {
      element.attributes.removeAll { $0.name == "selected" }
    }
    tree[option].content = .element(element)
  }

  /// The `select` to which an option belongs.
  private func list(of option: PatchTree.Index) -> PatchTree.Index? {
    sequence(first: option) { tree.parent($0) }.dropFirst().first { node in
      tree.element(node).map { $0.isHTML("select") } ?? true
    }.flatMap { tree.element($0) == nil ? nil : $0 }
  }

  /// Whether a browser would select an option of the new markup.
  private mutating func selected(_ option: PatchTree.Index) -> Bool {
    guard let list = list(of: option), !tree[list].isMultiple else { return tree.element(option)?["selected"] != nil }
    return selection(in: list) == option
  }

  /// The option of a list that a browser selects. This is the last option with `selected`. In a
  /// drop-down list without such an option, it is the first option that is not disabled. The same
  /// holds after the selected option was moved out of the list.
  private mutating func selection(in list: PatchTree.Index) -> PatchTree.Index? {
    let known = selections[list]
    if let known, known == PatchTree.none { return nil }
    if let known, self.list(of: known) == list { return known }
    let marked = known == nil ? options(of: list).last { tree.element($0.option)?["selected"] != nil }?.option : nil
    let chosen = marked ?? firstOption(of: list)
    selections[list] = chosen ?? PatchTree.none
    return chosen
  }

  /// The option that a browser selects in a drop-down list if no option has `selected`: the first
  /// one that is not disabled. `nil` for a list that shows several options at a time.
  private func firstOption(of list: PatchTree.Index) -> PatchTree.Index? {
    guard tree.element(list)?["size"].flatMap({ Int($0) }) ?? 1 <= 1 else { return nil }
    return options(of: list).first { !$0.isInDisabledGroup && tree.element($0.option)?["disabled"] == nil }?.option
  }

  private func options(of list: PatchTree.Index) -> [(option: PatchTree.Index, isInDisabledGroup: Bool)] {
    var options: [(option: PatchTree.Index, isInDisabledGroup: Bool)] = []
    for node in tree.preorder(from: list) where tree.element(node)?.isHTML("option") == true {
      let group = tree.parent(node).flatMap { tree.element($0) }
      options.append((node, group?.isHTML("optgroup") == true && group?["disabled"] != nil))
    }
    return options
  }
}
