internal import MarkupDocument

/// The views of one page load as an action finds them. `LiveViews.plan(_:of:)` makes one for each
/// action.
///
/// Each view has one version of its document for the whole action. The versions of two views may be
/// of different moments.
struct ActionContext {
  /// A view. It is an object, so that its ``ActingElement``s share what is computed once.
  final class View {
    let id: String
    let document: Document
    /// The version of LiveView whose client shows the view.
    let client: ClientVersion
    /// The address that the view shows; `nil` for a nested view.
    let url: String?
    let status: ViewStatus
    /// The state of the fields in a browser.
    let fields: FieldMemory
    /// What a walk through the document that reads its strings costs, in the unit of
    /// ``ClientActions/spend(_:on:)``.
    let work: Int
    private(set) lazy var controls = FormControls(of: self)

    init(_ id: String, _ state: ViewState, _ life: ViewLife, _ fields: FieldMemory) {
      (self.id, document, client, self.fields) = (id, state.document, state.client, fields)
      (url, status) = (life.url, life.status)
      work = document.count + state.size.document.bytes / 64
    }
  }

  /// The views, in the order of their first frames.
  let views: [View]
  /// The address of the page; `nil` if it is not known.
  let url: String?

  /// The view that handles `live_patch`: the first joined view with an address, or the first view
  /// if there is none.
  var main: View? { views.first { $0.url != nil && $0.status == .joined } ?? views.first }
}

/// An element of one of the page's views: the element of an action, and those that its bindings
/// name.
struct ActingElement {
  let view: ActionContext.View
  let node: NodeRef
  let element: Element

  init?(_ node: NodeRef, in view: ActionContext.View) {
    guard let element = view.document.content(of: node)?.element else { return nil }
    (self.view, self.node, self.element) = (view, node, element)
  }

  var document: Document { view.document }

  /// The value of `phx-NAME`; `nil` if it is absent or empty.
  func binding(_ name: String) -> String? {
    guard let value = element["phx-" + name], !value.isEmpty else { return nil }
    return value
  }

  /// Whether this is an HTML element with one of the tags.
  func isHTML(_ tags: String...) -> Bool {
    document.dialect.hasHTMLElements && element.namespace == .html && tags.contains(element.tag)
  }

  /// This element and those around it, innermost first. The sequence ends before the element of a
  /// LiveView, as in LiveView's `closestPhxBinding`.
  var climb: some Sequence<ActingElement> {
    sequence(first: self) { inner in
      guard let parent = inner.document.parent(of: inner.node).flatMap({ ActingElement($0, in: inner.view) }),
        parent.element["data-phx-session"] == nil
      else { return nil }
      return parent
    }
  }

  /// The nearest element that has an attribute and is not disabled, beginning with this one.
  func closest(with attribute: String) -> ActingElement? {
    climb.first { $0.element[attribute] != nil && !$0.isDisabled }
  }

  /// The elements of this view with an attribute, in document order.
  static func all(with attribute: String, in view: ActionContext.View) -> [ActingElement] {
    view.document.nodes(from: view.document.root).compactMap { ActingElement($0, in: view) }
      .filter { $0.element[attribute] != nil }
  }

  /// The component to which the element belongs: the component of the nearest component root. From
  /// the content of a portal, the search goes on at the portal.
  var component: Int? {
    var step = Optional(node)
    while let node = step {
      if let component = document.component(of: node) { return component }
      step = document.portal(showing: node) ?? document.parent(of: node)
    }
    return nil
  }

  /// The element in words, such as `<button#inc>`.
  var name: String { "<\(element.tag)\(element.id.map { "#" + $0 } ?? "")>" }
}
