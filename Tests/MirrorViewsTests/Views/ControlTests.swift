import MirrorViews
import NodeObservation
import Testing

/// Views that a person acts on, without a document: a driver taps and sets them.
@Suite struct ControlTests {
  @Test func `a state, a binding and a button`() throws {
    struct Caption: PageView {
      @Binding var taps: Int
      var body: some View { Group { if taps > 0 { Text("tapped \(taps) times") } } }
    }
    struct Panel: PageView {
      @State var taps = 0
      var body: some View {
        VStack {
          Button("Tap") { self.taps += 1 }
          Caption(taps: $taps)
        }
      }
    }
    let tree = ViewTree(root: Panel())
    #expect(tree.markup == #"<div class="vstack"><button type="button">Tap</button></div>"#)
    try tree.tap("Tap")
    #expect(tree.markup == #"<div class="vstack"><button type="button">Tap</button>tapped 1 times</div>"#)
    #expect(tree.takeEvaluations().map(\.type) == ["Panel", "Caption"])
    let refusal = #expect(throws: InputRefusal.self) { try tree.tap("Tip") }
    #expect(refusal?.description == #"no control is named "Tip"; there are "Tap""#)
  }

  @Test func `a slider, a gesture, a toggle and a list`() throws {
    struct Valve: PageView {
      @Binding var opening: Double
      var body: some View {
        Slider(value: $opening, in: 0...0.5).onTapGesture { opening = opening < 0.25 ? 0.5 : 0 }
      }
    }
    struct Valves: PageView {
      @State var opening = 0.1
      @State var isLocked = false
      var body: some View {
        HStack {
          Text("Opening")
          Valve(opening: $opening)
        }
        Toggle("Locked", isOn: $isLocked)
        ForEach(1...3, id: \.self) { number in Text("Line \(number)") }
        Button("Toggle", action: { isLocked.toggle() }).disabled(opening == 0)
      }
    }
    let tree = ViewTree(root: Valves())
    #expect(
      tree.markup.hasPrefix(
        #"<div class="hstack">Opening<input type="range" min="0" max="0.5" step="any" value="0.1">"#))
    #expect(tree.markup.contains(#"<input type="checkbox">Locked</label>Line 1Line 2Line 3"#))
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
}
