package import MarkupDocument
internal import NodeObservation

/// A view that is notified of changes of an element: the view of the element, a view inside it that
/// reads the element, or a view of the parent element that observes the children.
///
/// ``ViewTree/readings(of:)`` returns the readings of one node. The inspector gets them for its
/// `NodeSubscribers`.
///
/// The properties of one view share an `Observer`, so a view is one subscriber, whatever the number
/// of its properties.
package struct ElementReading: Sendable, Hashable {
  /// The type of the view, such as `NativeText`; `ElementMarkup` for an element that is written
  /// unchanged.
  package var view: String
  /// The element that the view reads: the element that was asked for, or its parent if the view
  /// observes children.
  package var node: NodeRef
  /// The properties with which the view reads its element, such as `@Attribute("selection")`, in
  /// the order of their declaration.
  package var properties: [String]
  /// Whether the view is inside the view of an element, whose `Observer` it shares.
  package var isInner: Bool
}

/// A property that reads the element of a view.
protocol ElementProperty {
  /// The declaration of the property without its name, such as `@Attribute("count")`.
  var declaration: String { get }
  /// Whether the property reads the element of its view, and not one that was passed to it.
  var readsElement: Bool { get }
  var observesChildren: Bool { get }
}

extension ViewTree {
  /// The views that are notified of changes of a node, the view of the element first. For an
  /// element that was not drawn yet, the first one is the view that the registry has for it. The
  /// list is empty for a node that is not an element of the document.
  ///
  /// - Complexity: O(*views inside of the views of the element and its parent*).
  package func readings(of node: NodeRef) -> [ElementReading] {
    locked {
      let parent = coordinator.reading { document in
        document.content(of: node)?.element == nil ? nil : document.parent(of: node)
      }
      guard let parent = parent ?? nil else { return [] }
      let own = elementViews[node].map { views(of: $0) } ?? []
      var readings = own.map { reading(of: $0, of: node) }
      if readings.isEmpty { readings.append(undrawnReading(of: node)) }
      let above = elementViews[parent].map { views(of: $0).filter(\.observesChildren) } ?? []
      return readings + above.map { reading(of: $0, of: parent) }
    }
  }

  /// An element view, and the views inside it that also read the element; empty if the element view
  /// is not drawn.
  private func views(of host: ViewNode) -> [ViewNode] {
    host.drawing == nil ? [] : [host] + host.readers.compactMap(\.node).filter(\.isAlive)
  }

  private func reading(of view: ViewNode, of node: NodeRef) -> ElementReading {
    ElementReading(
      view: view.type.map(name(of:)) ?? "", node: node,
      properties: view.view.map(Self.properties)?.map(\.declaration) ?? [],
      isInner: !view.isElementView)
  }

  private func undrawnReading(of node: NodeRef) -> ElementReading {
    let view = registry.view(for: ElementNode(node, of: coordinator))
    return ElementReading(
      view: name(of: view.map { type(of: $0) } ?? ElementMarkup.self), node: node,
      properties: view.map(Self.properties)?.map(\.declaration) ?? [], isInner: false)
  }

  /// The properties of a view that read its element, also those inside other dynamic properties
  /// such as `Disabled`.
  static func properties(of view: Any) -> [any ElementProperty] {
    Mirror(reflecting: view).children.flatMap { _, value -> [any ElementProperty] in
      if let property = value as? any ElementProperty { return property.readsElement ? [property] : [] }
      return value is any DynamicProperty ? properties(of: value) : []
    }
  }

  // MARK: - Views that observe children

  /// Draws the views that also observe the children of their elements, so that they are subscribed
  /// before a child changes.
  ///
  /// Other views are drawn when they are first notified or shown. Until then, a counter of signals,
  /// which the mirror mounts for each element, counts as the observer in place of the view.
  ///
  /// - Parameter nodes: the elements whose views may be drawn; `nil` for all elements of the
  ///   document.
  /// - Complexity: O(*nodes* + *enclosing views that are not drawn*); O(1) if elements are written
  ///   unchanged.
  package func drawObserversOfChildren(among nodes: @autoclosure () -> [NodeRef]? = nil) {
    if registry.writesUnchanged { return }
    work {
      let elements = coordinator.reading { document in
        (nodes() ?? document.elementNumbers.map { NodeRef(epoch: document.epoch, number: $0) }).compactMap { node in
          document.content(of: node)?.element.map { (node, $0.tag) }
        }
      }
      for (node, tag) in elements ?? [] where observesChildren(node, tag) {
        if let host = elementView(of: node) { draw(ifNeeded: host) }
      }
      flush()
    }
  }

  private func observesChildren(_ node: NodeRef, _ tag: String) -> Bool {
    if let known = observingTags[tag] { return known }
    let view = registry.view(for: ElementNode(node, of: coordinator))
    let observes = view.map { Self.properties(of: $0).contains(where: \.observesChildren) } ?? false
    // Clients choose the tags, so the number of known tags is bounded.
    if observingTags.count < Self.mostObservingTags { observingTags[tag] = observes }
    return observes
  }

  private static let mostObservingTags = 1_000
}
