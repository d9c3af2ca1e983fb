internal import MarkupDocument

/// The form controls of a view, collected in one walk through its document.
/// ``ActionContext/View/controls`` makes this table when an ``ActingElement`` first reads it.
///
/// Without the table, each control would need a walk to the root, together O(*controls* × *depth*).
struct FormControls {
  /// The elements around a node that matter to form controls (HTML, 4.10.17.3 and 4.10.18.5).
  struct Surroundings {
    fileprivate(set) var form: NodeRef?
    fileprivate(set) var isInDatalist = false
    /// Whether a `fieldset` disables the controls.
    fileprivate(set) var isDisabled = false
    /// Whether an `optgroup` of the same `select` disables the options.
    fileprivate(set) var isInDisabledGroup = false
  }

  /// The controls of each form, in document order.
  private(set) var controls: [NodeRef: [NodeRef]] = [:]
  /// The surroundings of each element that can be disabled.
  private(set) var surroundings: [NodeRef: Surroundings] = [:]

  /// - Complexity: O(*nodes*).
  init(of view: ActionContext.View) {
    let document = view.document
    var forms: [String: NodeRef?] = [:]
    var pending = document.children(of: document.root).reversed().map { ($0, Surroundings()) }
    while let (node, around) = pending.popLast() {
      guard let element = ActingElement(node, in: view) else { continue }
      if element.canBeDisabled { surroundings[node] = around }
      if element.isControl {
        var form = around.form
        if let id = element.element["form"] {
          form = forms[id] ?? element.form?.node
          forms[id] = form
        }
        if let form { controls[form, default: []].append(node) }
      }
      let (inner, legend) = (around.inside(element), element.enabledLegend)
      for child in document.children(of: node).reversed() {
        var inner = inner
        if child == legend { inner.isDisabled = around.isDisabled }
        pending.append((child, inner))
      }
    }
  }
}

extension FormControls.Surroundings {
  /// The surroundings of the children of an element. An element of a nested view has no
  /// surroundings outside of that view, as in ``ActingElement/climb``.
  fileprivate func inside(_ element: ActingElement) -> Self {
    if element.element["data-phx-session"] != nil { return Self() }
    guard element.isHTML("datalist", "fieldset", "form", "optgroup", "select") else { return self }
    var inner = self
    switch element.element.tag {
    case "form": inner.form = element.node
    case "datalist": inner.isInDatalist = true
    case "fieldset": inner.isDisabled = isDisabled || element.element["disabled"] != nil
    case "select": inner.isInDisabledGroup = false
    case "optgroup": inner.isInDisabledGroup = isInDisabledGroup || element.element["disabled"] != nil
    default: break
    }
    return inner
  }
}

extension ActingElement {
  /// The first `legend` of a disabled `fieldset`. The controls in this `legend` stay enabled.
  fileprivate var enabledLegend: NodeRef? {
    guard isHTML("fieldset"), element["disabled"] != nil else { return nil }
    return document.children(of: node).lazy.compactMap { ActingElement($0, in: view) }.first {
      $0.element.tag == "legend"
    }
    .flatMap { $0.isHTML("legend") ? $0.node : nil }
  }
}
