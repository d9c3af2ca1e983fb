import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// User-defined views together with the built-in native views.
@Suite struct NativeRegistryTests {
  private struct BadgeView: PageView {
    @ObservedElement(observeChildren: true) var element
    @Attribute("count") var count = 0

    var body: some View {
      let slots = Slots(of: element, named: "icon")
      Tag("b", ["class": "badge"]) {
        if let icon = slots["icon"] { Tag("i") { icon } }
        Text("\(count)")
        slots.content
      }
    }
  }

  @Test func `a user's view can contain built-in views and be inside them`() {
    var registry = ViewRegistry.native
    registry.register("Badge") { _ in BadgeView() }
    let page = NativePage(
      #"<VStack><Badge count="3"><Text>new</Text><Text template="icon">!</Text></Badge></VStack>"#, registry: registry)
    #expect(
      page.markup == """
        <div class="vstack"><b class="badge"><i><span class="text">!</span></i>3<span class="text">new</span></b></div>
        """)
  }

  @Test func `a user's view replaces the built-in view of the same tag`() {
    var registry = ViewRegistry.native
    registry.register("Text", "HStack") { _ in BadgeView() }
    #expect(
      NativePage(#"<HStack count="x"><Text count="2"/></HStack>"#, registry: registry).markup
        == #"<b class="badge">0<b class="badge">2</b></b>"#)
    #expect(NativePage("<Text>a</Text>").markup == #"<span class="text">a</span>"#)
  }

  @Test func `all documented native elements are registered`() {
    let tags = Set(ViewRegistry.native.tags)
    let expected = """
      VStack HStack ZStack LazyVStack LazyHStack Spacer Divider Group Grid GridRow LazyVGrid Text Label Link Image \
      AsyncImage Button TextField SecureField TextEditor Toggle Slider Stepper Picker DatePicker ColorPicker ProgressView \
      Gauge Menu List Section Form LiveForm ScrollView DisclosureGroup NavigationStack NavigationLink TabView
      """
    #expect(expected.split(separator: " ").map(String.init).filter { !tags.contains($0) } == [])
  }
}
