/// A property of forms that LiveView's client reads. A field of the form whose name or id is that
/// of the property hides the property from scripts: with `<input name="id">`, `form.id` is the
/// field. Fields that hide other properties, such as `children` or `setAttribute`, are not
/// modelled. ``ClientPatch`` looks for such fields where the client reads the property.
///
/// - Client: `getNodeKey` in `dom_patch.js`, 1.0+. Origin: none known.
enum FormProperty: String, Sendable {
  case id, nodeType, nextSibling, nodeName, getAttribute, hasAttribute
}

extension Element {
  /// Whether scripts find the element as a property of its form.
  package var isListedField: Bool {
    switch tag {
    case "button", "fieldset", "input", "object", "output", "select", "textarea":
      namespace == .html && self["type"] != "image"
    default: false
    }
  }

  /// The properties that the element hides, if it is a field of a form.
  var hiddenProperties: Set<FormProperty> {
    isListedField ? Set([self["name"], id].compactMap { $0.flatMap(FormProperty.init) }) : []
  }

  /// Whether the element hides a property of its form that the client reads.
  private var hidesProperty: Bool { isListedField && !hiddenProperties.isEmpty }

  /// Whether every update of a page with the element must be a full one. This is so for a field
  /// whose name hides a property of its form, because the client can then find forms by their
  /// fields. The same holds for an element with `data-phx-teleported`: the client treats it as
  /// content of a portal, and never removes it.
  package var needsFullUpdates: Bool { hidesProperty || self["data-phx-teleported"].map { !$0.isEmpty } == true }
}
