public import MarkupDocument
public import NodeObservation

/// What a person enters or chooses in a control.
public struct ControlInput: Sendable {
  /// The element that the person acts on: the control's, or one inside it, such as a choice of a `Picker`.
  public var node: NodeRef
  /// The new value: the text of a choice, or `true` or `false` for a control that is on or off. `nil` for the usual action: a switch
  /// is switched, and of several choices the one with ``node`` is chosen.
  public var value: String?
  /// The child element of the control that is or contains ``node``; `nil` for the control itself.
  public internal(set) var child: NodeRef?

  /// Creates an input.
  public init(at node: NodeRef, value: String? = nil) { (self.node, self.value) = (node, value) }
}

/// Why a control does not take an input.
public struct InputRefusal: Error, Sendable, CustomStringConvertible {
  /// The reason, with the values that the control takes.
  public var description: String

  /// Creates a refusal.
  public init(_ description: String) { self.description = description }
}

extension View {
  /// Makes a view a control: `take` is called with what a person enters or chooses in it, and typically sets a state of the view.
  ///
  /// - Parameters:
  ///   - isForControl: whether an action on an element inside the control is one on the control. By default it is.
  ///   - take: throws ``InputRefusal`` for a value that the control does not have.
  public func onInput(
    where isForControl: @escaping (ControlInput) -> Bool = { _ in true },
    _ take: @escaping (ControlInput) throws(InputRefusal) -> Void
  ) -> some View {
    InputView(content: self, control: Control(isFor: isForControl, take: take))
  }
}

/// How a view takes what a person enters or chooses.
struct Control {
  let isFor: (ControlInput) -> Bool
  let take: (ControlInput) throws(InputRefusal) -> Void
}

private struct InputView<Content: View>: PrimitiveView {
  let content: Content
  let control: Control

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.owner.control = view.control
    Content._expand(view.content, into: &expansion)
  }
}

extension ViewTree {
  /// Gives an input to the nearest control around its element, and evaluates the views that this changes.
  ///
  /// - Returns: the evaluations; `nil` if the views around the element are no controls.
  /// - Throws: ``InputRefusal`` if the control does not take the input.
  /// - Complexity: O(*depth*) if the views around the element are drawn.
  @discardableResult
  public func enter(_ input: ControlInput) throws(InputRefusal) -> [Evaluation]? {
    var input = input
    guard let control = work({ control(around: &input) }) else { return nil }
    let count = locked { history.added }
    try Publication.run { () throws(InputRefusal) in try control.take(input) }
    flush()
    return locked {
      let evaluations = history.recent(after: count)
      if isCountedByMirror { mirrorUpdate.add(ofInput: evaluations) }
      return evaluations
    }
  }

  /// Whether a view around the element, or its own, is a control.
  package func isInControl(_ node: NodeRef) -> Bool {
    var input = ControlInput(at: node)
    return work { control(around: &input) } != nil
  }

  private func control(around input: inout ControlInput) -> Control? {
    // An element that is written unchanged is no control.
    if registry.writesUnchanged { return nil }
    input.child = nil
    var step: NodeRef? = input.node
    while let node = step {
      if let host = elementView(of: node) {
        draw(ifNeeded: host)
        if let control = host.control, control.isFor(input) { return control }
      }
      input.child = node
      step = coordinator.reading { $0.parent(of: node) } ?? nil
    }
    return nil
  }
}
