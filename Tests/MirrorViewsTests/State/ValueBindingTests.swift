import MarkupDocument
import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Values that follow each other without echoes.
@Suite struct ValueBindingTests {
  final class Model: @unchecked Sendable {
    @Shared(value: 0.0) var number
    @Shared(value: "") var text
  }

  /// A binding that records the values that are set.
  static func noting<Value>(_ binding: Binding<Value>, _ heard: Heard) -> Binding<Value> {
    Binding(
      get: { binding.wrappedValue },
      set: {
        heard.note("\($0)")
        binding.wrappedValue = $0
      })
  }

  static func shared<Value>(_ value: Value) -> Shared<Value> {
    Shared(SharedKey("value", default: value, in: InMemoryStore()))
  }

  // MARK: - One way

  @Test func `the target has the current value of the source and every later one`() throws {
    let (source, target) = (Self.shared("a"), Self.shared(""))
    let cancellable = try bind(from: Binding(source), to: Binding(target))
    #expect(target.wrappedValue == "a")
    source.wrappedValue = "b"
    #expect(target.wrappedValue == "b")
    target.wrappedValue = "own"
    #expect(source.wrappedValue == "b")
    cancellable.cancel()
    source.wrappedValue = "c"
    #expect(target.wrappedValue == "own")
  }

  @Test func `a value that the target already has is not set`() throws {
    let model = Model()
    let heard = Heard()
    let source = Self.shared(1.5)
    let cancellable = try bind(from: Binding(source), to: Self.noting(Binding(model, \.number), heard))
    model.number = 2
    source.wrappedValue = 2
    source.wrappedValue = 3
    #expect(heard.all == ["1.5", "3.0"])
    cancellable.cancel()
  }

  @Test func `a publisher can be bound to a property`() {
    let subject = PassthroughSubject<Int, Never>()
    let heard = Heard()
    let target = Self.shared(0)
    let cancellable = bind(from: subject, to: Self.noting(Binding(target), heard))
    for value in [0, 1, 1, 2] { subject.send(value) }
    #expect(heard.all == ["1", "2"])
    cancellable.cancel()
    subject.send(3)
    #expect(target.wrappedValue == 2)
  }

  @Test func `a state of a view can be the source`() throws {
    struct Field: PageView {
      @State var text = "a"
      let reach: Reach<Binding<String>>
      var body: some View {
        let _ = reach.value = $text
        Text(text)
      }
    }
    let reach = Reach<Binding<String>>()
    let stage = Stage { Field(reach: reach) }
    stage.draw()
    let target = Self.shared("")
    guard let state = reach.value else {
      Issue.record("the view was not evaluated")
      return
    }
    let cancellable = try bindBothWays(state, Binding(target))
    #expect(target.wrappedValue == "a")
    state.wrappedValue = "b"
    #expect(target.wrappedValue == "b")
    target.wrappedValue = "c"
    #expect(state.wrappedValue == "c")
    #expect(stage.draw() == "c")
    cancellable.cancel()
  }

  // MARK: - Both ways

  @Test func `each end follows the other and receives no echo`() throws {
    let model = Model()
    let (left, right) = (Heard(), Heard())
    let text = Self.shared("first")
    let cancellable = try bindBothWays(
      Self.noting(Binding(text), left), Self.noting(Binding(model, \.text), right))
    text.wrappedValue = "a"
    model.text = "b"
    text.wrappedValue = "c"
    #expect(left.all == ["b"])
    #expect(right.all == ["first", "a", "c"])
    #expect(text.wrappedValue == "c")
    cancellable.cancel()
    model.text = "free"
    #expect(text.wrappedValue == "c")
  }

  @Test func `a lossy conversion settles`() throws {
    let model = Model()
    let whole = Self.shared(0)
    let heard = Heard()
    model.number = 3.7
    let cancellable = try bindBothWays(
      Self.noting(Binding(model, \.number), heard), Binding(whole), to: { Int($0) }, back: { Double($0) })
    #expect(whole.wrappedValue == 3)
    #expect(model.number == 3.7)
    model.number = 3.9
    #expect(model.number == 3.9)
    whole.wrappedValue = 5
    #expect(model.number == 5)
    model.number = 5.2
    #expect((model.number, whole.wrappedValue) == (5.2, 5))
    #expect(heard.all == ["5.0"])
    cancellable.cancel()
  }

  @Test func `two bindings that change each other's values without end are stopped`() throws {
    let store = InMemoryStore()
    let (a, b) = (
      Shared(SharedKey("a", default: 0, in: store)), Shared(SharedKey("b", default: 0, in: store))
    )
    let up = try bind(from: Binding(a), to: Binding(b)) { $0 + 1 }
    let down = try bind(from: Binding(b), to: Binding(a)) { $0 + 1 }
    guard case .cycle(_, let cycle)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    #expect(cycle.cycle.contains("a") && cycle.cycle.contains("b"))
    #expect(a.wrappedValue < 200)
    up.cancel()
    down.cancel()
  }

  /// Compared with a model without bindings: two variables that are always set together.
  @Test(arguments: 0..<20) func `both ends are equal after any sequence of changes`(seed: UInt64) throws {
    var random = Lcg(state: seed)
    let model = Model()
    let text = Self.shared("start")
    var expected = "start"
    var cancellable: AnyCancellable? = try bindBothWays(Binding(text), Binding(model, \.text))
    for step in 0..<200 {
      let value = "\(random.next(6))"
      switch random.next(8) {
      case 0..<3: (text.wrappedValue, expected) = (value, value)
      case 3..<6: (model.text, expected) = (value, value)
      case 6:
        Publication.run {
          text.wrappedValue = "\(step)"
          text.wrappedValue = value
        }
        expected = value
      default:
        cancellable = nil
        model.text = "loose"
        cancellable = try bindBothWays(Binding(text), Binding(model, \.text))
      }
      #expect(text.wrappedValue == expected)
      #expect(model.text == expected)
    }
    withExtendedLifetime(cancellable) {}
  }

  final class Titled: ObservableObject, @unchecked Sendable {
    @Published var header = ""
  }

  @Test func `a binding that announces no changes is refused with what to do`() {
    let (model, text) = (Titled(), Self.shared(""))
    let refusals = [
      #expect(throws: UnfollowedBinding.self) { try bindBothWays(Binding(text), Binding(model, \.header)) }?
        .description,
      #expect(throws: UnfollowedBinding.self) { try bindBothWays(Binding(model, \.header), Binding(text)) }?
        .description,
      #expect(throws: UnfollowedBinding.self) { try bind(from: Binding(model, \.header), to: Binding(text)) }?
        .description,
    ]
    for (refusal, role) in zip(refusals, ["second value", "first value", "source"]) {
      #expect(refusal?.hasPrefix("the \(role) announces no changes") == true)
      #expect(refusal?.contains("bind(from: model.$name, to: …)") == true)
    }
    let cancellable = bind(from: model.$header, to: Binding(text))
    model.header = "new"
    #expect(text.wrappedValue == "new")
    cancellable.cancel()
  }
}

/// A sequence of numbers that depends only on the seed.
struct Lcg {
  var state: UInt64
  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
