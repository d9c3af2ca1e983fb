/// Finds the fields that hide a property of their form: an `<input name="id">` makes the DOM
/// property `form.id` return the input (see ``FormProperty``). ``ClientPatch`` searches for such
/// fields where the client reads one of these properties. It sets ``documents`` before, because a
/// browser heeds the attribute `form` of a field only in a document.
extension PatchTree {
  /// The fields that hide a property of a form. At most two are returned, because two or more have
  /// the same effect: the property is a `RadioNodeList`. Empty if no field hides the property or
  /// the node is not a form.
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

  /// What scripts get as a form's property `id`: the tag of the field, or `RadioNodeList` for
  /// several fields. `nil` if no field hides the property.
  func idField(of form: Index) -> String? {
    let fields = fields(hiding: .id, of: form)
    return fields.count > 1 ? "RadioNodeList" : fields.first.flatMap { element($0)?.tag }
  }

  /// How many fields that hide one property are examined. The bound is needed because each form
  /// examines all of them.
  private static let maximumFields = 64

  /// Whether a field belongs to a form. A field with the attribute `form` belongs to the form with
  /// this id, any other field to the form around it.
  func belongs(_ field: Index, to form: Index) -> Bool {
    // The attribute counts in a document only, and not in new markup.
    if let id = element(field)?["form"], documents.contains(top(of: field).node) {
      return element(form)?.id == id && isFirst(form, withID: id)
    }
    return self.form(around: field) == form
  }

  /// Whether a node is the first element with an id. If several forms have one id, the fields
  /// belong to the first of them.
  ///
  /// - Complexity: O(*nodes before the element*); see ``SearchBudget``.
  private func isFirst(_ node: Index, withID id: String) -> Bool {
    for top in documents {
      for step in preorder(from: top) {
        if element(step)?.id == id { return step == node }
        search.remaining -= 1
        if search.remaining < 0 { return true }
      }
    }
    return true
  }

  /// The number of nodes that one patch may search for the first element with an id, so that no
  /// input takes quadratic time. A class, because methods that are not `mutating` reduce the
  /// number.
  final class SearchBudget {
    var remaining = 0
  }

  /// The nearest form around a node, or the node itself.
  ///
  /// - Complexity: O(*depth*)
  func form(around node: Index) -> Index? {
    sequence(first: node) { parent($0) }.first { element($0)?.isHTML("form") == true }
  }
}
