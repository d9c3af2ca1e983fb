import MirrorViews

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

enum SelectiveUpdatesExample: Example {
  // example: SelectiveUpdates
  final class Station: ObservableObject {
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

  /// Observes the whole model.
  struct Traditional: View {
    @ObservedObject var model: Station
    var body: some View {
      NameView(name: model.name)
      ReadingsView(readings: model.readings)
    }
  }

  /// Receives only what it shows.
  struct Selective: View {
    let model: Station
    @State var name = ""
    @State var readings: [Int] = []
    var body: some View {
      Group {
        NameView(name: name)
        ReadingsView(readings: readings)
      }
      .onReceive(model.$name) { if $0 != name { name = $0 } }
      .onReceive(model.$readings) { if $0 != readings { readings = $0 } }
    }
  }
  // end

  /// The tests of the articles run on the main actor.
  static func run() throws { MainActor.assumeIsolated { show() } }

  @MainActor static func show() {
    // example: SelectiveUpdates
    let model = Station()
    let traditional = ViewTree(root: Traditional(model: model))
    let selective = ViewTree(root: Selective(model: model))
    print(traditional.markup, selective.markup)
    _ = selective.takeEvaluations()

    func show(_ change: String) {
      for tree in [traditional, selective] {
        print(change, tree.takeEvaluations().map(\.type))
      }
    }
    model.polls += 1
    show("polls")
    model.name = "South"
    show("name")
    model.readings = [4]
    show("readings")
    print(traditional.markup, selective.markup)
    // end
  }
}
