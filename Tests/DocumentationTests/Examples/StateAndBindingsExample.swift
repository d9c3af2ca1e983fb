import MarkupDocument
import MirrorViews
import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

enum StateAndBindingsExample: Example {
  // example: StateAndBindings
  /// Sets the switch in place of a user, because there is no screen. Used by one thread only.
  final class Remote: @unchecked Sendable { var isOpen: Binding<Bool>? }

  struct Disclosure: PageView {
    @State var isOpen = false
    let remote: Remote

    var body: some View {
      let _ = remote.isOpen = $isOpen
      Tag("section") { Switch(isOn: $isOpen) }
      if isOpen { Text("details") }
    }
  }

  struct Switch: PageView {
    @Binding var isOn: Bool
    var body: some View { Tag("i") { Text(isOn ? "on" : "off") } }
  }
  // end

  static func run() throws {
    // example: StateAndBindings
    let remote = Remote()
    var registry = ViewRegistry.html
    registry.register("Disclosure") { _ in Disclosure(remote: remote) }
    let page = ViewTree(of: DocumentCoordinator(markup: "<Disclosure/>", dialect: .native), registry: registry)
    print(page.markup)

    remote.isOpen?.wrappedValue = true
    remote.isOpen?.wrappedValue = true  // an equal value changes nothing
    print(page.markup)
    for evaluation in page.takeEvaluations() { print(evaluation) }
    // end

    // example: StateAndBindings
    let store = InMemoryStore()
    let price = Shared(SharedKey("price", default: 3, in: store))
    let field = Shared(SharedKey("field", default: "", in: store))
    let both = try bindBothWays(Binding(price), Binding(field), to: { "\($0)" }, back: { Int($0) ?? 0 })
    field.wrappedValue = "012"
    print(price.wrappedValue, field.wrappedValue)
    price.wrappedValue = 4
    print(price.wrappedValue, field.wrappedValue)
    both.cancel()
    // end
  }
}
