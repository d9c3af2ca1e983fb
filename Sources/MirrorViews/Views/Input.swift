public import MarkupDocument
public import NodeObservation

/// What a person enters or chooses in a control. ``ViewTree/enter(_:)`` delivers the input to a
/// control.
public struct ControlInput: Sendable {
  /// The element that the person acts on: the element of the control, or an element inside it, such
  /// as a choice of a `Picker`.
  public var node: NodeRef
  /// The new value: the text of a choice, or `true` or `false` for a control that is on or off.
  /// `nil` for the usual action: a switch is switched, or the choice that is or contains ``node``
  /// is selected.
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

nonisolated extension View {
  /// Turns a view into a control: `take` receives what a person enters or chooses in the view, and
  /// typically sets a state.
  ///
  /// ``ViewTree/enter(_:)`` finds the control only if the view is in the body of an element's view.
  /// ``ViewTree/tap(_:)`` and ``ViewTree/set(_:of:)`` find it in every view.
  ///
  /// - Parameters:
  ///   - isForControl: whether the control takes an input. By default it takes every input on an
  ///     element inside the view.
  ///   - take: handles an input. It throws ``InputRefusal`` for a value that the control does not
  ///     accept.
  public func onInput(
    where isForControl: @escaping (ControlInput) -> Bool = { _ in true },
    _ take: @escaping (ControlInput) throws(InputRefusal) -> Void
  ) -> some View {
    InputView(content: self, control: Control(isFor: isForControl, take: take))
  }

  /// Turns a view into a control of an attribute. The controls of ``ViewRegistry/native`` use this
  /// modifier.
  ///
  /// - Parameters:
  ///   - attribute: the attribute of the element that holds the value; `nil` for a control whose
  ///     value the server does not set.
  ///   - isDisabled: whether the view, and all in it, takes no input.
  ///   - decide: computes the new value for an input. It must not change anything, because
  ///     ``ViewTree/change(by:)`` also calls it, to find out what an input would set.
  ///   - set: sets the new value.
  func controls(
    _ attribute: String?, isDisabled: Bool, where isForControl: @escaping (ControlInput) -> Bool = { _ in true },
    decide: @escaping (ControlInput) throws(InputRefusal) -> ControlValue, set: @escaping (ControlValue) -> Void
  ) -> some View {
    var control = Control(isFor: isForControl) { input throws(InputRefusal) in set(try decide(input)) }
    control.decide = decide
    control.attribute = attribute
    // `disabled(_:)` is applied to the outside of the control, because the control reads the value
    // from its environment.
    return InputView(content: self, control: control).disabled(isDisabled)
  }
}

/// The new value of a control.
package enum ControlValue: Sendable, Equatable {
  case isOn(Bool)
  /// The value of a choice, and the child element that shows it.
  case choice(String, NodeRef)
}

/// A control of a view or of a part of its body: which inputs it takes, and what it does with them.
/// ``Expansion/add(_:_:)`` adds it to the view.
struct Control {
  /// The name by which ``ViewTree/tap(_:)`` and ``ViewTree/set(_:of:)`` find the control: its label
  /// or its prompt.
  var name: String?
  var isFor: (ControlInput) -> Bool = { _ in true }
  let take: (ControlInput) throws(InputRefusal) -> Void
  var decide: ((ControlInput) throws(InputRefusal) -> ControlValue)?
  var attribute: String?
  /// The element whose view has the control. `nil` until an input finds the control.
  var node: NodeRef?
  var isDisabled = false

  func checkEnabled() throws(InputRefusal) { if isDisabled { throw InputRefusal("is disabled") } }
}

/// Content with a ``Control``, to which ``ViewTree/enter(_:)`` delivers the input of its elements.
private struct InputView<Content: View>: PrimitiveView {
  let content: Content
  let control: Control

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.add(view.control) { expansion, _ in Content._expand(view.content, into: &expansion) }
  }
}

extension ViewTree {
  /// Gives an input to the nearest control at or around the element of the input, and then
  /// evaluates the invalid views.
  ///
  /// - Returns: the evaluations; `nil` if no view at or around the element has a control for the
  ///   input.
  /// - Throws: ``InputRefusal`` if the control does not take the input.
  /// - Complexity: O(*depth*) if the views around the element are drawn.
  @discardableResult
  public func enter(_ input: ControlInput) throws(InputRefusal) -> [Evaluation]? {
    var input = input
    guard let control = work({ control(around: &input) }) else { return nil }
    return try deliver(input, to: control)
  }

  private func deliver(_ input: ControlInput, to control: Control) throws(InputRefusal) -> [Evaluation] {
    try control.checkEnabled()
    if !isOnItsThread { throw InputRefusal("belongs to the main actor, and takes inputs only there") }
    let count = locked { history.added }
    try Publication.run { () throws(InputRefusal) in try control.take(input) }
    flush()
    return locked {
      let evaluations = history.recent(after: count)
      if isCountedByMirror { mirrorUpdate.add(ofInput: evaluations) }
      return evaluations
    }
  }

  /// Taps the first control whose label is `name`. If there is none, taps the first control in the
  /// body of a view whose type has this name.
  ///
  /// - Returns: the evaluations.
  /// - Throws: ``InputRefusal`` if the control is disabled or refuses the tap, or if there is no
  ///   such control. The description then lists the names of all controls that take a tap.
  /// - Complexity: O(*views*).
  @discardableResult
  public func tap(_ name: String) throws(InputRefusal) -> [Evaluation] { try enter(nil, in: name) }

  /// Sets the value of a control, as when a person moves a ``Slider`` or switches a ``Toggle``. The
  /// control is found as in ``tap(_:)``.
  @discardableResult
  public func set(_ value: some CustomStringConvertible, of name: String) throws(InputRefusal) -> [Evaluation] {
    try enter(value.description, in: name)
  }

  private func enter(_ value: String?, in name: String) throws(InputRefusal) -> [Evaluation] {
    _ = markup
    let all = work { namedControls }.filter { $0.control.isFor(ControlInput(at: $0.node, value: value)) }
    guard
      let (_, control, node) = all.first(where: { $0.control.name == name }) ?? all.first(where: { $0.view == name })
    else {
      let names = Set(all.map { $0.control.name ?? $0.view }).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw InputRefusal("no control is named \"\(name)\"; there are \(names.isEmpty ? "none" : names)")
    }
    let evaluations = try deliver(ControlInput(at: node, value: value), to: control)
    // Draws the page, so that the views that the input has added appear, as they would on a screen.
    _ = markup
    return evaluations
  }

  /// All controls in the order of the page, each with the name of the type of its view.
  private var namedControls: [(view: String, control: Control, node: NodeRef)] {
    var (found, open): ([(String, Control, NodeRef)], [ViewNode]) = ([], root.map { [$0] } ?? [])
    while let view = open.popLast() {
      let node = view.elementView.observer?.node ?? NodeRef(epoch: 0, number: 0)
      for control in view.controls { found.append((view.type.map(name(of:)) ?? "", control, node)) }
      for piece in (view.drawing?.pieces ?? []).reversed() {
        switch piece {
        case .markup: break
        case .view(let inner): open.append(inner)
        case .element(let node): if let host = elementViews[node] { open.append(host) }
        }
      }
    }
    return found
  }

  /// The element whose view has the nearest control at or around an element; `nil` if there is no
  /// such control.
  package func control(around node: NodeRef) -> NodeRef? {
    var input = ControlInput(at: node)
    return work { control(around: &input) }?.node
  }

  /// What an input would set, without setting it.
  ///
  /// - Returns: the attribute of the control and its new value; both are `nil` if the control has
  ///   no attribute. The result is `nil` if no view at or around the element has a control for the
  ///   input.
  /// - Throws: ``InputRefusal`` if the control does not take the input.
  package func change(by input: ControlInput) throws(InputRefusal) -> (attribute: String?, value: ControlValue?)? {
    var input = input
    guard let control = work({ control(around: &input) }) else { return nil }
    try control.checkEnabled()
    return (control.attribute, try control.decide?(input))
  }

  /// The nearest control for an input, searched from the element of the input outwards. Sets
  /// `child` of the input to the child element of the control that is or contains the input's
  /// element. Called in ``ViewTree/work(_:)``.
  private func control(around input: inout ControlInput) -> Control? {
    // If all elements are written unchanged, no view has a control.
    if registry.writesUnchanged { return nil }
    input.child = nil
    var step: NodeRef? = input.node
    while let node = step {
      if let host = elementView(of: node) {
        draw(ifNeeded: host)
        if var control = host.controls.first(where: { $0.isFor(input) }) {
          // Draws the views inside the control, because the input may change them.
          _ = owners(in: host)
          control.node = node
          return control
        }
      }
      input.child = node
      step = coordinator.reading { $0.parent(of: node) } ?? nil
    }
    return nil
  }
}
