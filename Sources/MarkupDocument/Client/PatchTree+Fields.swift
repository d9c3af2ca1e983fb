/// Forms with a field named `id`: for scripts, the field hides the form's own `id`.
extension PatchTree {
  /// The class of the field that a form's property `id` gives; `nil` if the node is no form with such a field.
  ///
  /// - Complexity: O(*fields named `id`* · *depth*)
  func idField(of form: Index) -> String? {
    guard !idFields.isEmpty, element(form)?.isHTML("form") == true else { return nil }
    let top = top(of: form)
    var found: Element?
    for field in idFields.prefix(Self.maximumFields) where belongs(field, to: form) && self.top(of: field) == top {
      if found != nil { return "RadioNodeList" }
      found = element(field)
    }
    return found?.tag
  }

  /// The name of the first field that hides a property of the form, such as `nodeName`. `nil` if the form has no such field.
  func hidingField(of form: Index) -> String? {
    guard !hidingFields.isEmpty, element(form)?.isHTML("form") == true else { return nil }
    let top = top(of: form)
    return hidingFields.prefix(Self.maximumFields).first { belongs($0, to: form) && self.top(of: $0) == top }
      .flatMap { element($0)?["name"] }
  }

  /// Further fields are not looked at, since each form looks at all fields.
  private static let maximumFields = 64

  /// Whether a field's form is this one: the form that its attribute `form` names, or the one around it.
  func belongs(_ field: Index, to form: Index) -> Bool {
    // The attribute counts in a document only, and not in new markup.
    if let id = element(field)?["form"], documents.contains(top(of: field).node) { return element(form)?.id == id }
    return self.form(around: field) == form
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

  /// Whether the name of this form field hides a property of the form that the client uses.
  package var hidesProperty: Bool { isListedField && (isIDField || isHidingField) }

  /// Whether a ``isListedField`` has the name `id`.
  var isIDField: Bool { self["name"] == "id" || id == "id" }

  /// Whether the name of a ``isListedField`` is that of a property without which the client throws.
  var isHidingField: Bool { self["name"].map { ["nodeName", "getAttribute", "hasAttribute"].contains($0) } ?? false }
}
