internal import LiveViewMirror
internal import MarkupDocument

/// A form with the method POST, on a page whose scripts do not run. ``ClientSession`` fills it in
/// and submits it.
struct PlainForm {
  let action: String?
  /// The names of all fields, including check boxes that are not checked, which have no entry.
  private(set) var names: Set<String> = []
  /// What the form sends if no field is changed, in document order.
  private(set) var entries: [(name: String, value: String)] = []
  private var hasSubmitter = false

  /// - Complexity: O(*nodes*).
  static func all(in tree: NodeTree) -> [PlainForm] {
    tree.preorder().compactMap { node in
      guard let element = tree[node].element, element.tag == "form", element["method"]?.lowercased() == "post" else {
        return nil
      }
      var form = PlainForm(action: element["action"])
      for field in tree.preorder(from: node) {
        if let element = tree[field].element { form.add(element, at: field, in: tree) }
      }
      return form
    }
  }

  private init(action: String?) { self.action = action }

  private mutating func add(_ element: Element, at node: NodeTree.Index, in tree: NodeTree) {
    guard ["input", "textarea", "select", "button"].contains(element.tag), element["disabled"] == nil else { return }
    let type = element["type"]?.lowercased() ?? (element.tag == "button" ? "submit" : "text")
    let name = element["name"] ?? ""
    switch type {
    case "submit":
      // As after the Enter key in a browser, only the first submit button sends its value.
      if !hasSubmitter, !name.isEmpty { entries.append((name, element["value"] ?? "")) }
      hasSubmitter = true
    case "button", "image", "reset", "file": return
    case _ where name.isEmpty: return
    case "checkbox", "radio":
      names.insert(name)
      if element["checked"] != nil { entries.append((name, element["value"] ?? "on")) }
    default:
      names.insert(name)
      if element.tag == "select" {
        entries += Self.chosen(of: node, in: tree).map { (name, $0) }
      } else {
        entries.append((name, element.tag == "textarea" ? Self.text(of: node, in: tree) : element["value"] ?? ""))
      }
    }
  }

  /// The values of the selected options, or the value of the first option if none is selected.
  private static func chosen(of select: NodeTree.Index, in tree: NodeTree) -> [String] {
    var (first, selected): (String?, [String]) = (nil, [])
    for node in tree.preorder(from: select) {
      guard let option = tree[node].element, option.tag == "option" else { continue }
      let value = option["value"] ?? text(of: node, in: tree)
      first = first ?? value
      if option["selected"] != nil { selected.append(value) }
    }
    return selected.isEmpty ? [first].compactMap(\.self) : selected
  }

  private static func text(of node: NodeTree.Index, in tree: NodeTree) -> String {
    tree.preorder(from: node).map { if case .text(let text) = tree[$0] { text } else { "" } }.joined()
  }

  /// The form as `application/x-www-form-urlencoded`. Each given value is sent instead of the
  /// entries with its name.
  func encoded(with values: [(name: String, value: String)]) -> String {
    let kept = entries.filter { entry in !values.contains { $0.name == entry.name } }
    return (kept + values).map { "\(FormEncoding.encoded($0.name))=\(FormEncoding.encoded($0.value))" }
      .joined(separator: "&")
  }
}
