/// A property of forms that LiveView's client reads: a field of the form with that name, or with that id, hides it from scripts. Fields
/// that hide others, such as `children` or `setAttribute`, are not followed.
enum FormProperty: String, Sendable {
  case id, nodeType, nextSibling, nodeName, getAttribute, hasAttribute
}

/// Forms with fields that hide properties of the form.
extension PatchTree {
  /// The fields that hide a property of a form, two at most: several give a `RadioNodeList`. Empty if the node is no such form.
  ///
  /// - Complexity: O(*fields with that name* · *depth*)
  func fields(hiding property: FormProperty, of form: Index) -> [Index] {
    // A skipped form is written without its fields.
    guard let fields = hidingFields[property], element(form)?.isHTML("form") == true, !nodes[Int(form)].isSkipped else {
      return []
    }
    let top = top(of: form)
    return Array(
      fields.prefix(Self.maximumFields).lazy.filter { belongs($0, to: form) && self.top(of: $0) == top }.prefix(2))
  }

  /// The class of what a form's property `id` gives; `nil` if no field hides it.
  func idField(of form: Index) -> String? {
    let fields = fields(hiding: .id, of: form)
    return fields.count > 1 ? "RadioNodeList" : fields.first.flatMap { element($0)?.tag }
  }

  /// Further fields are not looked at, since each form looks at all fields.
  private static let maximumFields = 64

  /// Whether a field's form is this one: the form that its attribute `form` names, or the one around it.
  func belongs(_ field: Index, to form: Index) -> Bool {
    // The attribute counts in a document only, and not in new markup.
    if let id = element(field)?["form"], documents.contains(top(of: field).node) {
      return element(form)?.id == id && isFirst(form, withID: id)
    }
    return self.form(around: field) == form
  }

  /// Whether no element before this one has its id. Of several forms with one id, the first has the fields.
  ///
  /// - Complexity: O(*nodes before the element*); see ``SearchBudget``.
  private func isFirst(_ node: Index, withID id: String) -> Bool {
    for top in documents {
      for step in preorder(from: top) {
        if element(step)?.id == id { return step == node }
        search.left -= 1
        if search.left < 0 { return true }
      }
    }
    return true
  }

  /// The number of nodes that one patch may search for the first element with an id, so that no input takes quadratic time.
  final class SearchBudget {
    var left = 0
  }

  /// The nearest form around a node, or the node itself.
  ///
  /// - Complexity: O(*depth*)
  func form(around node: Index) -> Index? {
    sequence(first: node) { parent($0) }.first { element($0)?.isHTML("form") == true }
  }
}

extension Element {
  /// Whether scripts find the element as a property of its form.
  package var isListedField: Bool {
    namespace == .html && ["button", "fieldset", "input", "object", "output", "select", "textarea"].contains(tag)
      && self["type"] != "image"
  }

  /// The properties that the element hides, if it is a field of a form.
  var hiddenProperties: Set<FormProperty> {
    isListedField ? Set([self["name"], id].compactMap { $0.flatMap(FormProperty.init) }) : []
  }

  /// Whether the element hides a property of its form that the client reads.
  private var hidesProperty: Bool { !hiddenProperties.isEmpty }

  /// Whether every update of a page with the element must be a full one: the element is a field whose name hides a property of its form, so that
  /// the client finds forms by their fields; or the client takes the element for content of a portal, which it never removes.
  package var needsFullUpdates: Bool { hidesProperty || self["data-phx-teleported"].map { !$0.isEmpty } == true }
}
