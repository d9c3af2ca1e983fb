import Foundation
import MirrorViews
import Observation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// More of what a reader of SwiftUI's guides and of swift-sharing's documentation types.
@MainActor @Suite struct SpellingTests {
  // MARK: - A model that only publishes

  @MainActor final class Station {
    @Published var name = "North"
    @Published var readings: [Int] = []
    @Published var polls = 0
  }
  typealias NameView = ProgramTests.NameView
  typealias ReadingsView = ProgramTests.ReadingsView
  struct StationView: View {
    @State private var model = Station()
    @State private var readings: [Int] = []
    @State private var name = ""
    var body: some View {
      VStack {
        NameView(name: name)
        ReadingsView(readings: readings)
        Button("poll") { model.polls += 1 }
        Button("rename") { model.name = "South" }
        Button("read") { model.readings.append(4) }
      }
      .onReceive(model.$readings) { if $0 != readings { readings = $0 } }
      .onReceive(model.$name) { if $0 != name { name = $0 } }
      .onChange(of: name) { if name != model.name { model.name = name } }
    }
  }

  @Test func `a state holds a model that publishes, and the view selects what it shows`() throws {
    let tree = ViewTree(root: StationView())
    #expect(tree.markup.hasPrefix(#"<div class="vstack">North[]<button"#))
    _ = tree.takeEvaluations()
    try tree.tap("poll")
    #expect(tree.takeEvaluations().isEmpty)
    try tree.tap("rename")
    #expect(tree.takeEvaluations().map(\.type) == ["StationView", "NameView"])
    try tree.tap("read")
    #expect(tree.takeEvaluations().map(\.type) == ["StationView", "ReadingsView"])
    #expect(tree.markup.hasPrefix(#"<div class="vstack">South[4]<button"#))
  }

  // MARK: - Bindings

  @Observable final class Account {
    var name = ""
    var isOpen = false
    var unread = 0
  }
  struct AccountForm: View {
    @Bindable var account: Account
    var body: some View {
      Form {
        TextField("Name", text: $account.name)
        Toggle("Open", isOn: $account.isOpen)
      }
    }
  }

  @Test func `an observable object is bound to controls`() throws {
    let account = Account()
    let tree = ViewTree(root: AccountForm(account: account))
    let field = #"<input type="text" placeholder="Name" value="">"#
    #expect(
      tree.markup == #"<div class="form" role="form">\#(field)<label><input type="checkbox">Open</label></div>"#)
    _ = tree.takeEvaluations()
    try tree.set("Ada", of: "Name")
    try tree.tap("Open")
    #expect((account.name, account.isOpen) == ("Ada", true))
    account.unread = 1
    #expect(tree.takeEvaluations().map(\.type) == ["AccountForm", "AccountForm"])
    #expect(tree.markup.contains(#"value="Ada"><label><input type="checkbox" checked="">"#))
  }

  struct Item: Identifiable, Equatable {
    let id: Int
    var isDone = false
  }
  struct ItemRow: View {
    @Binding var item: Item
    var body: some View { Toggle("item \(item.id)", isOn: $item.isDone) }
  }
  struct Items: View {
    @State var items = [Item(id: 1), Item(id: 2), Item(id: 3)]
    var body: some View {
      ForEach($items) { $item in ItemRow(item: $item) }
      Button("drop") { items.removeFirst() }
      Text(items.map { "\($0.id)\($0.isDone ? "✓" : "")" }.joined(separator: " "))
    }
  }

  @Test func `each value of a list is bound to its row`() throws {
    let tree = ViewTree(root: Items())
    #expect(tree.markup.hasSuffix("1 2 3"))
    try tree.tap("item 2")
    #expect(tree.markup.hasSuffix("1 2✓ 3"))
    try tree.tap("drop")
    try tree.tap("item 3")
    #expect(tree.markup.hasSuffix("2✓ 3✓"))
    try tree.tap("drop")
    try tree.tap("drop")
    #expect(tree.markup == #"<button type="button">drop</button>"#)
    #expect(tree.problems.isEmpty)
  }

  // MARK: - Drawing

  struct Drawn: View {
    @State var isOn = false
    var body: some View {
      ZStack(alignment: .topLeading) {
        Color.blue.opacity(0.5).frame(height: 20)
        ForEach(0..<2) { Text("\($0)") }
      }
      .padding([.top, .leading], 4).padding(.horizontal).padding()
      Spacer()
      Divider()
      RoundedRectangle(cornerRadius: 8).fill(isOn ? Color.red : .gray).rotationEffect(Angle(degrees: 45))
        .shadow(radius: 2).clipShape(Circle()).border(.black)
      Button("turn") { withAnimation(.spring()) { isOn.toggle() } }
        .animation(.spring(response: 0.3, dampingFraction: 0.6).repeatForever(autoreverses: false), value: isOn)
    }
  }

  @Test func `drawing is noted and changes nothing else`() throws {
    let tree = ViewTree(root: Drawn())
    let stack =
      #"<div class="zstack" data-style="zstack(alignment: topLeading); padding(top, leading, 4); padding(horizontal); padding()">"#
    let colour = #"<div class="shape rectangle" data-style="fill(blue.opacity(0.5)); frame(height: 20)"></div>"#
    let shape =
      #"<div class="shape rounded-rectangle" data-style="fill(gray); rotationEffect(45°); shadow(2, 0, 0); clipShape(circle); border(black, 1)"></div>"#
    #expect(
      tree.markup == stack + colour + #"01</div><div class="spacer"></div><hr>"# + shape
        + #"<button type="button" data-style="animation(spring(0.3).repeatForever())">turn</button>"#)
    try tree.tap("turn")
    #expect(tree.markup.contains("fill(red)"))
  }

  // MARK: - Shared values

  struct Counters: View {
    @Shared(.inMemory("spelling-count")) var count = 0
    @Shared(.inMemory("spelling-name")) var name: String?
    @SharedReader(.inMemory("spelling-count")) var read = 0
    @State.Shared(.inMemory("spelling-name")) var kept: String?
    var body: some View {
      Button("count") { $count.withLock { $0 += 1 } }
      Button("name") { name = "a" }
      Button("other") { $read = SharedReader(wrappedValue: 7, .inMemory("spelling-other")) }
      Text("\(count) \(name ?? "none") \(read) \(kept ?? "none")")
    }
  }
  struct Child: View {
    @Shared var count: Int
    @SharedReader var read: Int
    var body: some View { Text("\(count) \(read)") }
  }

  @Test func `shared values are changed under a lock, are optional, and are passed on`() throws {
    let tree = ViewTree(root: Counters())
    #expect(tree.markup.hasSuffix("0 none 0 none"))
    try tree.tap("count")
    try tree.tap("name")
    #expect(tree.markup.hasSuffix("1 a 1 a"))
    try tree.tap("other")
    #expect(tree.markup.hasSuffix("1 a 7 a"))

    @Shared(value: 1) var own
    @SharedReader(.inMemory("spelling-reader")) var read = 2
    let child = ViewTree(root: Child(count: $own, read: $read))
    #expect(child.markup == "1 2")
    own = 5
    $read.load(.inMemory("spelling-count"))
    #expect(child.markup == "5 1")
  }

  struct Volume { var level = 3 }
  enum Mode: String { case day, night }
  struct Counting: View {
    @Shared(value: 0) var count
    @State var round: Int
    init(round: Int) { _round = State(initialValue: round) }
    var body: some View {
      Button("count") { count += 1 }
      Text("\(count)")
    }
  }
  struct CountingHost: View {
    @State var draft = 2
    @Shared(.inMemory("spelling-volume")) var volume = Volume()
    @Shared(.inMemory("spelling-list")) var list: [Int] = []
    var body: some View {
      Button("again") { draft += 1 }
      Counting(round: draft)
      Button("keep") { $list.withLock { $0.append(draft) } }
      Button("louder") { volume.level += 1 }
      Text("\(list) \(volume.level)")
    }
  }

  @Test func `a value of its own outlives evaluations of the enclosing view, and values need no equality`() throws {
    let tree = ViewTree(root: CountingHost())
    _ = tree.markup
    for name in ["count", "again", "count", "keep", "louder"] { try tree.tap(name) }
    #expect(tree.markup.hasSuffix("[3] 4"))
    #expect(tree.markup.contains("</button>2<button"))
    #expect(
      Shared(value: 4).withLock { value in
        defer { value += 1 }; return value
      } == 4)
  }

  @Test func `an enumeration is kept in the app storage by its raw value`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "spelling-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = FileStore.appStorage
    defer { FileStore.appStorage = before }
    FileStore.appStorage = FileStore(path: folder.appending(path: "app.json").path)
    @Shared(.appStorage("mode")) var mode = Mode.day
    mode = .night
    let text = try String(contentsOf: folder.appending(path: "app.json"), encoding: .utf8)
    #expect(text.contains(#""mode": "night""#))
  }

  struct Shelf: View {
    @Environment(Account.self) var account
    @Environment(Library.self) var other: Library?
    var body: some View {
      @Bindable var account = account
      TextField("Name", text: $account.name)
      Text("\(account.name) \(other == nil)")
    }
  }
  @Observable final class Library {}

  @Test func `an observable object comes from the environment`() throws {
    let account = Account()
    let tree = ViewTree(root: Group { Shelf() }.environment(account))
    _ = tree.markup
    try tree.set("Ada", of: "Name")
    #expect(tree.markup.hasSuffix("Ada true"))
    let bare = ViewTree(root: Shelf())
    #expect(bare.markup == "")
    #expect(bare.problems.map(\.message).first?.contains("must provide one with `environment(_:)`") == true)
  }

  struct Names: View {
    @State var names = ["a", "b"]
    var body: some View {
      ForEach($names, id: \.self) { $name in TextField(name, text: $name) }
      Text(names.joined(separator: " ").prefix(5))
    }
  }

  @Test func `texts of a list are bound by themselves`() throws {
    let tree = ViewTree(root: Names())
    _ = tree.markup
    try tree.set("c", of: "a")
    #expect(tree.markup.hasSuffix("c b"))
  }

  // MARK: - Why a body is evaluated

  struct Lamp: View {
    let level: Int
    @State var isOn = false
    var body: some View {
      let _ = Self._printChanges()
      Button("switch at \(level)") { isOn.toggle() }
    }
  }
  struct Lamps: View {
    @State var level = 1
    var body: some View {
      Lamp(level: level)
      Button("brighter") { level += 1 }
    }
  }

  @Test func `_printChanges prints the reasons of the evaluation`() async throws {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await MainActor.run {
        let tree = ViewTree(root: Lamps())
        _ = tree.markup
        try tree.tap("brighter")
        try tree.tap("switch at 2")
      }
    }
    let printed = String(decoding: try #require(ended).standardOutputContent, as: UTF8.self)
    #expect(
      printed == """
        Lamp: drawn for the first time
        Lamp: other inputs
        Lamp: state `isOn`

        """)
  }
}
