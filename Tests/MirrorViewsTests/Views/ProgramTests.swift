import Foundation
import MirrorSupport
import MirrorViews
import Observation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
  import OpenCombineDispatch
#endif

/// Programs in the spelling of SwiftUI, Combine, Observation and swift-sharing.
@MainActor @Suite struct ProgramTests {
  // MARK: - State, binding, one code path

  struct Caption: View {
    @Binding var taps: Int
    var body: some View { Group { if taps > 0 { Text("tapped \(taps) times") } } }
  }
  struct Panel: View {
    @State var taps = 0
    var body: some View {
      VStack {
        Button("Tap") { self.taps += 1 }
        Caption(taps: $taps)
      }
    }
  }

  @Test func `a state, a binding and a button`() throws {
    let tree = ViewTree(root: Panel())
    #expect(tree.markup == #"<div class="vstack"><button type="button">Tap</button></div>"#)
    try tree.tap("Tap")
    #expect(tree.markup == #"<div class="vstack"><button type="button">Tap</button>tapped 1 times</div>"#)
    #expect(tree.takeEvaluations().map(\.type) == ["Panel", "Caption"])
    let refusal = #expect(throws: InputRefusal.self) { try tree.tap("Tip") }
    #expect(refusal?.description == #"no control is named "Tip"; there are "Tap""#)
  }

  // MARK: - Controls and lists

  struct Valve: View {
    @Binding var opening: Double
    var body: some View {
      Slider(value: $opening, in: 0...0.5).onTapGesture { opening = opening < 0.25 ? 0.5 : 0 }
    }
  }
  struct Valves: View {
    @State var opening = 0.1
    @State var isLocked = false
    var body: some View {
      HStack {
        Text("Opening").bold(); Valve(opening: $opening)
      }
      Toggle("Locked", isOn: $isLocked)
      ForEach(1...3, id: \.self) { number in Text("Line \(number)") }
      // Disabled, so that the test can tap a button that refuses it.
      Button("Toggle", action: { isLocked.toggle() }).disabled(opening == 0)
    }
  }

  @Test func `a slider, a gesture, a toggle and a list`() throws {
    let tree = ViewTree(root: Valves())
    #expect(
      tree.markup
        == #"<div class="hstack"><span data-style="bold()">Opening</span><input type="range" min="0" max="0.5" step="any" "#
        + #"value="0.1"></div><label><input type="checkbox">Locked</label>Line 1Line 2Line 3<button type="button">Toggle</button>"#
    )
    try tree.set(0.3, of: "Valve")
    #expect(tree.markup.contains(#"value="0.3""#))
    #expect(tree.takeEvaluations().map(\.type) == ["Valves", "Valve"])
    try tree.tap("Valve")
    #expect(tree.markup.contains(#"value="0""#))
    let refusal = #expect(throws: InputRefusal.self) { try tree.tap("Toggle") }
    #expect(refusal?.description == "is disabled")
    try tree.set(0.5, of: "Valve")
    try tree.tap("Toggle")
    #expect(tree.markup.contains(#"checked="""#))
    try tree.set(false, of: "Locked")
    #expect(!tree.markup.contains("checked"))
    #expect(throws: InputRefusal.self) { try tree.set(0.7, of: "Valve") }
  }

  // MARK: - Objects

  final class Person: ObservableObject, Identifiable {
    let id = UUID()
    @Published var name: String
    @Published var city: String
    init(_ name: String, _ city: String) { (self.name, self.city) = (name, city) }
  }
  struct PersonView: View {
    @ObservedObject var person: Person
    var body: some View {
      VStack {
        Text(person.name).bold(); Text(person.city)
      }
    }
  }
  struct People: View {
    let people: [Person]
    @State var selection: Person?
    var body: some View {
      HStack { ForEach(people) { person in Button(person.name) { selection = person } } }
      if let selection { PersonView(person: selection) }
    }
  }
  struct Badge: View {
    @EnvironmentObject var person: Person
    var body: some View { Text(person.name) }
  }

  @Test func `an observed object evaluates its view alone`() throws {
    let (ada, eve) = (Person("Ada", "Bath"), Person("Eve", "Rome"))
    let tree = ViewTree(root: People(people: [ada, eve]))
    _ = tree.markup
    try tree.tap("Ada")
    #expect(tree.markup.hasSuffix(#"<div class="vstack"><span data-style="bold()">Ada</span>Bath</div>"#))
    #expect(tree.takeEvaluations().map(\.type) == ["People"])
    ada.city = "Ely"
    #expect(tree.takeEvaluations().map(\.type) == ["PersonView"])
    #expect(tree.markup.hasSuffix(#"Ely</div>"#))
    eve.city = "Oslo"
    #expect(tree.takeEvaluations().isEmpty)
    // The selected person is another one: the view continues, and observes that one.
    try tree.tap("Eve")
    #expect(tree.takeEvaluations().map(\.type) == ["People", "PersonView"])
    ada.city = "York"
    #expect(tree.takeEvaluations().isEmpty)
  }

  @Test func `an environment object is found, or its view is empty and a problem says why`() {
    let ada = Person("Ada", "Bath")
    let tree = ViewTree(root: Badge().environmentObject(ada))
    #expect(tree.markup == "Ada")
    ada.name = "Ada L."
    #expect(tree.markup == "Ada L.")
    let other = ViewTree(
      root: VStack {
        Badge(); Text("still here")
      })
    #expect(other.markup == #"<div class="vstack">still here</div>"#)
    #expect(other.problems.map(\.message).joined().contains("the environment has no Person for `person`"))
  }

  @MainActor final class Counter: ObservableObject {
    static var alive = 0
    @Published var count = 0
    init() { Self.alive += 1 }
    isolated deinit { Self.alive -= 1 }
  }
  struct Owner: View {
    @StateObject var counter = Counter()
    var body: some View { Button("\(counter.count)") { counter.count += 1 } }
  }
  struct Owners: View {
    @State var isShown = true
    var body: some View {
      Toggle("shown", isOn: $isShown)
      if isShown { Owner() }
    }
  }

  @Test func `a state object is created once per place and released with it`() throws {
    let tree = ViewTree(root: Owners())
    _ = tree.markup
    #expect(Counter.alive == 1)
    try tree.tap("Owner")
    #expect(tree.markup.hasSuffix(#"<button type="button">1</button>"#))
    try tree.tap("shown")
    _ = tree.markup
    #expect(Counter.alive == 0)
    try tree.tap("shown")
    #expect(tree.markup.hasSuffix(#"<button type="button">0</button>"#))
    #expect(Counter.alive == 1)
  }

  // MARK: - Selective updates

  @MainActor final class Station: ObservableObject {
    @Published var name = "North"
    @Published var readings: [Int] = []
    @Published var polls = 0
  }
  struct NameView: View {
    let name: String
    var body: some View { Text(name) }
  }
  struct ReadingsView: View {
    let readings: [Int]
    var body: some View { Text("\(readings)") }
  }
  struct StationView: View {
    @State private var model: Station
    @State private var readings: [Int] = []
    @State private var name = ""
    init(_ model: Station) { _model = State(wrappedValue: model) }
    var body: some View {
      VStack {
        NameView(name: name)
        ReadingsView(readings: readings)
        Button("West") { name = "West" }
      }
      .onReceive(model.$readings) { if $0 != readings { readings = $0 } }
      .onReceive(model.$name) { if $0 != name { name = $0 } }
      .onChange(of: name) { if name != model.name { model.name = name } }
    }
  }
  struct WholeStationView: View {
    @ObservedObject var model: Station
    var body: some View {
      VStack {
        NameView(name: model.name)
        ReadingsView(readings: model.readings)
      }
    }
  }

  @Test func `a selective view is evaluated for what it receives`() throws {
    let model = Station()
    let tree = ViewTree(root: StationView(model))
    #expect(tree.markup.hasPrefix(#"<div class="vstack">North[]"#))
    _ = tree.takeEvaluations()
    model.polls += 1
    #expect(tree.takeEvaluations().isEmpty)
    model.name = "South"
    #expect(tree.takeEvaluations().map(\.type) == ["StationView", "NameView"])
    #expect(tree.markup.hasPrefix(#"<div class="vstack">South[]"#))
    model.readings = [1, 2]
    #expect(tree.takeEvaluations().map(\.type) == ["StationView", "ReadingsView"])
    // The other way: the view changes the model.
    try tree.tap("West")
    #expect(model.name == "West")
    #expect(tree.takeEvaluations().map(\.type) == ["StationView", "NameView"])
    #expect(tree.problems.isEmpty)
  }

  @Test func `the same model observed as a whole evaluates its view for each change`() {
    let model = Station()
    let tree = ViewTree(root: WholeStationView(model: model))
    _ = tree.markup
    model.polls += 1
    #expect(tree.takeEvaluations().map(\.type) == ["WholeStationView"])
    model.name = "South"
    #expect(tree.takeEvaluations().map(\.type) == ["WholeStationView", "NameView"])
  }

  struct Operators: View {
    let model: Station
    let heard: Heard
    @State var round = 0
    var body: some View {
      Button("\(round)") { round += 1 }
        .onReceive(model.$polls.filter { $0 % 2 == 0 }.removeDuplicates()) { heard.note("even \($0)") }
        .onReceive(model.$name.debounce(for: .milliseconds(20), scheduler: DispatchQueue.main.ocombine)) {
          heard.note("debounced \($0)")
        }
        .onReceive(model.$name.throttle(for: .milliseconds(10), scheduler: DispatchQueue.main.ocombine, latest: true)) {
          heard.note("throttled \($0)")
        }
        .onReceive(model.$readings.map(\.count).eraseToAnyPublisher()) { heard.note("\($0) readings, round \(round)") }
    }
  }

  @Test func `operators work between model and view, and one subscription outlasts evaluations`() async throws {
    let (model, heard) = (Station(), Heard())
    let tree = ViewTree(root: Operators(model: model, heard: heard))
    _ = tree.markup
    for polls in [1, 2, 2, 4] { model.polls = polls }
    for name in ["a", "b", "c"] { model.name = name }
    try tree.tap("Operators")
    _ = tree.markup
    model.readings = [1]
    for _ in 0..<200 where !["debounced c", "throttled c"].allSatisfy(heard.all.contains) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(heard.all.filter { $0.hasPrefix("even") } == ["even 0", "even 2", "even 4"])
    #expect(heard.all.filter { $0.hasPrefix("debounced") } == ["debounced c"])
    #expect(heard.all.filter { $0.hasPrefix("throttled") }.last == "throttled c")
    #expect(heard.all.filter { $0.hasPrefix("throttled") }.count <= 2)
    #expect(heard.all.filter { $0.contains("readings") } == ["0 readings, round 0", "1 readings, round 1"])
  }

  struct Appearing: View {
    let name: String
    let heard: Heard
    var body: some View {
      Text(name).onAppear { heard.note("\(name) appears") }.onDisappear { heard.note("\(name) disappears") }
        .onChange(of: name, initial: true) { old, new in heard.note("\(old) → \(new)") }
    }
  }
  struct Appearances: View {
    let heard: Heard
    @State var isShown = true
    @State var name = "a"
    var body: some View {
      Toggle("shown", isOn: $isShown)
      Button("rename") { name += "'" }
      if isShown { Appearing(name: name, heard: heard) }
    }
  }

  @Test func `appearances and changes are told once each`() throws {
    let heard = Heard()
    var tree: ViewTree? = ViewTree(root: Appearances(heard: heard))
    _ = tree?.markup
    _ = tree?.markup
    #expect(heard.all == ["a appears", "a → a"])
    try tree?.tap("rename")
    #expect(heard.all.last == "a → a'")
    try tree?.tap("shown")
    #expect(heard.all.last == "a' disappears")
    try tree?.tap("shown")
    #expect(heard.all.suffix(2) == ["a' appears", "a' → a'"])
    tree = nil
    #expect(heard.all.last == "a' disappears")
    #expect(heard.all.count == 7)
  }

  struct Nested: View {
    let heard: Heard
    @State var isShown = false
    var body: some View {
      VStack { if isShown { Text("x").onAppear { heard.note("inner appears") } } }
        .onDisappear { heard.note("outer disappears") }
        .onTapGesture { isShown.toggle() }
    }
  }

  @Test func `the action of an inner view does not take the place of an outer one`() throws {
    let heard = Heard()
    let tree = ViewTree(root: Nested(heard: heard))
    try tree.tap("Nested")
    #expect(heard.all == ["inner appears"])
    try tree.tap("Nested")
    #expect(heard.all == ["inner appears"])
  }

  @Test func `an observation of another actor begins without a token`() async {
    let (meter, heard) = (Meter(), Heard())
    await Task.detached {
      observe { @MainActor in heard.note("\(meter.level)") }
      return
    }
    .value
    for _ in 0..<100 where heard.all.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(heard.all == ["0"])
  }

  struct Endless: View {
    @State var count = 0
    var body: some View { Text("\(count)").onChange(of: count, initial: true) { count += 1 } }
  }

  @Test func `actions that cause each other without end are stopped and reported`() {
    let tree = ViewTree(root: Endless())
    #expect(tree.markup.isEmpty == false)
    #expect(tree.problems.map(\.message).joined().contains("an action of"))
  }

  // MARK: - Shared state

  struct Turnstile: View {
    @Shared(.appStorage("turns")) var turns = 0
    var body: some View {
      Form {
        Text("\(turns)"); Button("Turn") { turns += 1 }
      }
    }
  }
  struct Gauge: View {
    @State.Shared(.inMemory("gauge-a")) var value = 0.0
    var body: some View { Button("Other") { $value.load(.inMemory("gauge-b")) }; Text("\(value)") }
  }
  struct Settings: Codable, Equatable { var volume = 3 }

  @Test func `a value in the app storage, in memory and in a file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    FileStore.appStorage = FileStore(path: folder.appending(path: "app.json").path)

    let tree = ViewTree(root: Turnstile())
    #expect(tree.markup.contains(">0<"))
    try tree.tap("Turn")
    #expect(tree.markup.contains(">1<"))
    #expect(try String(contentsOf: folder.appending(path: "app.json"), encoding: .utf8).contains(#""turns": 1"#))

    @Shared(.appStorage("turns")) var turns = 0
    var cancellables: Set<AnyCancellable> = []
    let heard = Heard()
    $turns.publisher.sink { heard.note("turns is now \($0)") }.store(in: &cancellables)
    turns += 1
    #expect(tree.markup.contains(">2<"))
    $turns = Shared(wrappedValue: 0, .appStorage("turns-2"))
    turns += 5
    #expect(heard.all == ["turns is now 1", "turns is now 2", "turns is now 0", "turns is now 5"])
    #expect(tree.markup.contains(">2<"))

    let url = folder.appending(path: "settings.json")
    @Shared(.fileStorage(url)) var written = Settings()
    @SharedReader(.fileStorage(url)) var settings = Settings()
    $written.volume.wrappedValue = 8
    #expect(settings.volume == 8)
    #expect(try JSONDecoder().decode(Settings.self, from: Data(contentsOf: url)) == Settings(volume: 8))
    try Data(#"{"volume": 11}"#.utf8).write(to: url)
    #expect(settings.volume == 11)
  }

  struct Gauges: View {
    @State var round = 0
    var body: some View {
      Button("round \(round)") { round += 1 }
      Gauge()
    }
  }

  @Test func `a shared state keeps the place that it has loaded`() throws {
    @Shared(.inMemory("gauge-b")) var other = 0.0
    other = 7
    let tree = ViewTree(root: Gauges())
    #expect(tree.markup.hasSuffix("0.0"))
    try tree.tap("Other")
    #expect(tree.markup.hasSuffix("7.0"))
    try tree.tap("round 0")
    #expect(tree.markup.hasSuffix("7.0"))
  }

  @Test func `a change in a subscriber ends with an error that names the cycle`() {
    let store = InMemoryStore()
    @Shared(SharedKey("a", default: 0, in: store)) var a
    let subscription = $a.publisher.sink { [$a] in if $0 > 0 { $a.wrappedValue = $0 + 1 } }
    a = 1
    #expect(store.lastError?.description.contains("changes of shared `a` cause each other") == true)
    subscription.cancel()
  }

  // MARK: - Observe

  @Observable @MainActor final class Meter {
    var level = 0
    @ObservationIgnored @Shared(.inMemory("unit")) var unit = "V"
    @ObservationIgnored var drawn = 0
  }
  @MainActor final class Controller {
    let meter = Meter()
    var labels: [String] = []
    func viewDidLoad() {
      observe { [weak self] in
        guard let self else { return }
        labels.append("\(meter.level) \(meter.unit)")
      }
    }
  }

  /// Lets other work of the main actor run.
  func turn() async { for _ in 0..<20 { await Task.yield() } }

  @Test func `an observation follows objects and shared values, once a turn, without a token`() async {
    var controller: Controller? = Controller()
    controller?.viewDidLoad()
    let meter = controller?.meter
    #expect(controller?.labels == ["0 V"])
    meter?.level = 1
    meter?.level = 2
    meter?.unit = "A"
    #expect(controller?.labels == ["0 V"])
    await turn()
    #expect(controller?.labels == ["0 V", "2 A"])
    meter?.drawn = 5
    await turn()
    #expect(controller?.labels.count == 2)
    weak let gone = controller
    controller = nil
    meter?.level = 3
    await turn()
    #expect(gone == nil)
  }

  @Test func `an observation ends with its token`() async {
    let (meter, heard) = (Meter(), Heard())
    var token: ReadObserver? = observe { heard.note("\(meter.level)") }
    meter.level = 1
    await turn()
    token = nil
    meter.level = 2
    await turn()
    #expect(heard.all == ["0", "1"])
    let other = observe { heard.note("other \(meter.level)") }
    other.cancel()
    meter.level = 3
    await turn()
    #expect(heard.all == ["0", "1", "other 2"])
    token = observe { heard.note("unchanged \(meter.level)") }
    // Kept until another turn, and released before any change.
    await turn()
    token = nil
    meter.level = 4
    await turn()
    #expect(heard.all == ["0", "1", "other 2", "unchanged 3"])
    _ = token
  }

  // MARK: - What else

  enum Mode { case text, image, off }
  @Observable final class CounterModel {
    @ObservationIgnored @Shared(.inMemory("counted")) var count = 0
  }
  struct Mixed: View {
    @State var mode = Mode.text
    @State var model = CounterModel()
    @ViewBuilder var helper: some View { if mode == .off { Text("off") } else { Text("on") } }
    var erased: AnyView { mode == .text ? AnyView(Text("t")) : AnyView(Circle().fill(.red)) }
    var body: some View {
      switch mode {
      case .text: Text("text").font(.title).padding(8)
      case .image: Rectangle().frame(width: 10, height: 20).rotationEffect(.degrees(45))
      case .off: EmptyView()
      }
      helper
      erased
      Button("next \(model.count)") {
        withAnimation(.default) { mode = mode == .text ? .image : .off }
        model.count += 1
      }
    }
  }

  @Test func `switches, erased views, helpers, and modifiers that only draw`() throws {
    #expect(Mixed().helper is _ConditionalContent<Text, Text>)
    let tree = ViewTree(root: Mixed())
    #expect(
      tree.markup == #"<span data-style="font(title); padding(8)">text</span>ont<button type="button">next 0</button>"#)
    try tree.tap("next 0")
    #expect(
      tree.markup
        == #"<div class="shape rectangle" data-style="frame(width: 10, height: 20); rotationEffect(45°)"></div>on"#
        + #"<div class="shape circle" data-style="fill(red)"></div><button type="button">next 1</button>"#)
    try tree.tap("next 1")
    #expect(tree.markup.hasPrefix("off"))
  }

  struct Plain: View {
    let person: Person
    var body: some View { Text(person.name) }
  }

  @Test func `a plain property does not observe`() {
    let ada = Person("Ada", "Bath")
    let tree = ViewTree(root: Plain(person: ada))
    #expect(tree.markup == "Ada")
    ada.name = "Eve"
    #expect(tree.markup == "Ada")
  }

  // MARK: - Threads

  struct Reading: View {
    @Shared(.inMemory("threads")) var value = 0
    var body: some View {
      let _ = MainActor.assertIsolated()
      Text("\(value)").onChange(of: value) { MainActor.assertIsolated() }
    }
  }

  @Test func `a tree of the main actor evaluates there, whoever changes what it reads`() async {
    let tree = ViewTree(root: Reading())
    #expect(tree.markup == "0")
    await Task.detached {
      @Shared(.inMemory("threads")) var value = 0
      value = 5
      // The last evaluation: this thread makes none.
      _ = tree.markup
    }
    .value
    await turn()
    #expect(tree.takeEvaluations().map(\.type) == ["Reading"])
    #expect(tree.markup == "5")
  }

  struct Leaving: View {
    let heard: Heard
    var body: some View {
      Text("x").onDisappear {
        MainActor.assertIsolated()
        heard.note("left")
      }
    }
  }

  @Test func `a tree that another thread releases runs its last actions on the main actor`() async {
    let heard = Heard()
    let held: Guarded<ViewTree?> = Guarded(ViewTree(root: Leaving(heard: heard)))
    _ = held.current?.markup
    await Task.detached { held.withLock { $0 = nil } }.value
    await turn()
    #expect(heard.all == ["left"])
  }
}
