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

/// Typed attributes: values that are decoded, values that are not, and the problems that are
/// recorded then.
@Suite struct AttributeTests {
  enum Size: String, AttributeDecodable, CaseIterable { case small, large }
  enum Level: Int, AttributeDecodable { case low = 1, high }
  struct Pair: AttributeDecodable, Equatable {
    let left, right: String
    init(attribute value: String) throws(AttributeMismatch) {
      let parts = value.split(separator: ":")
      guard parts.count == 2 else { throw AttributeMismatch("two words with a colon between") }
      (left, right) = (String(parts[0]), String(parts[1]))
    }
  }

  static func element(_ attributes: String) -> ElementNode {
    let coordinator = DocumentCoordinator(markup: #"<p id="a" \#(attributes)></p>"#, dialect: .html)
    return ElementNode(coordinator.node(id: "a"), of: coordinator)
  }

  func decoded<Value: AttributeDecodable>(_ type: Value.Type, _ attributes: String) -> String {
    do throws(AttributeDecodingError) {
      return try Self.element(attributes).decode(Value.self, from: "v").map { "\($0)" } ?? "absent"
    } catch {
      return error.description
    }
  }

  // MARK: - Types

  @Test(arguments: [
    (#"v="5""#, "5"), (#"v="-12""#, "-12"), ("", "absent"),
    (#"v="5px""#, #"<p#a>: attribute `v` is "5px", and not a whole number"#),
    (#"v=" 5""#, #"<p#a>: attribute `v` is " 5", and not a whole number"#),
    ("v", #"<p#a>: attribute `v` is "", and not a whole number"#),
  ]) func `whole numbers`(attributes: String, result: String) {
    #expect(decoded(Int.self, attributes) == result)
  }

  @Test(arguments: [
    (#"v="1.5""#, "1.5"), (#"v="-2""#, "-2.0"), (#"v="1e3""#, "1000.0"), ("", "absent"),
    (#"v="nan""#, #"<p#a>: attribute `v` is "nan", and not a number"#),
    (#"v="inf""#, #"<p#a>: attribute `v` is "inf", and not a number"#),
    (#"v="1,5""#, #"<p#a>: attribute `v` is "1,5", and not a number"#),
  ]) func `numbers`(attributes: String, result: String) {
    #expect(decoded(Double.self, attributes) == result)
  }

  @Test(arguments: [("", "absent"), ("v", ""), (#"v="a &amp; b""#, "a & b")])
  func `texts`(attributes: String, result: String) {
    #expect(decoded(String.self, attributes) == result)
  }

  /// HEEx omits attributes that are false or nil, and writes true ones without a value.
  @Test(arguments: [
    ("", "false"), ("v", "true"), (#"v="""#, "true"), (#"v="v""#, "true"), (#"v="true""#, "true"),
    (#"v="false""#, "false"),
  ]) func `booleans`(attributes: String, result: String) {
    #expect(decoded(Bool.self, attributes) == result)
  }

  @Test(arguments: [
    (#"v="small""#, "small"), ("", "absent"),
    (#"v="tiny""#, #"<p#a>: attribute `v` is "tiny", and not one of small, large"#),
  ]) func `cases with names`(attributes: String, result: String) {
    #expect(decoded(Size.self, attributes) == result)
  }

  @Test(arguments: [
    (#"v="2""#, "high"), (#"v="3""#, #"<p#a>: attribute `v` is "3", and not a Level"#),
    (#"v="x""#, #"<p#a>: attribute `v` is "x", and not a whole number"#),
  ]) func `cases with numbers`(attributes: String, result: String) {
    #expect(decoded(Level.self, attributes) == result)
  }

  @Test(arguments: [
    (#"v="5""#, "Optional(5)"), ("", "nil"), (#"v="x""#, #"<p#a>: attribute `v` is "x", and not a whole number"#),
  ]) func `optionals`(attributes: String, result: String) {
    #expect(decoded(Int?.self, attributes) == result)
  }

  @Test func `the problem of an attribute of a user's type describes the expected value`() {
    #expect(decoded(Pair.self, #"v="a:b""#).contains("left: \"a\""))
    #expect(
      decoded(Pair.self, #"v="ab""#)
        == #"<p#a>: attribute `v` is "ab", and not two words with a colon between"#)
  }

  // MARK: - In views

  struct Showing: PageView {
    @Attribute("count") var count = 3
    @Attribute("disabled") var isDisabled: Bool
    @Attribute("title") var title: String?
    @Attribute("size") var size = Size.small
    var body: some View { Text("\(count) \(isDisabled) \(title ?? "nil") \(size)") }
  }

  @Test func `a view reads the attributes of its element`() {
    let stage = Stage { Showing() }
    #expect(stage.draw() == "3 false nil small")
    stage.coordinator.update(markup: #"<x count="5" disabled title="t" size="large"></x>"#)
    #expect(stage.evaluated() == ["Showing: attributes `count`, `disabled`, `title`, `size`"])
    #expect(stage.draw() == "5 true t large")
    stage.coordinator.update(markup: "<x></x>")
    #expect(stage.draw() == "3 false nil small")
    #expect(stage.page.problems == [])
  }

  @Test func `an attribute that cannot be decoded has its initial value and is a problem`() {
    let stage = Stage(#"<x id="e" count="many" size="tiny"></x>"#) { Showing() }
    #expect(stage.draw() == "3 false nil small")
    #expect(
      stage.page.problems.map(\.message) == [
        #"<x#e>: attribute `count` is "many", and not a whole number"#,
        #"<x#e>: attribute `size` is "tiny", and not one of small, large"#,
      ])
  }

  struct Both: PageView {
    @ObservedElement var element
    @ObservedElement var again
    @Attribute("count") var count = 0
    let reach: Reach<[AnyPublisher<NodeRef, Never>]>
    var body: some View {
      let _ = reach.value = [$element, $count]
      Text("\(element["count"] ?? "") \(again.text)")
    }
  }

  @Test func `all property wrappers of a view share one observer`() throws {
    let stage = Stage("<x>t</x>") { Both(reach: Reach()) }
    stage.draw()
    let node = try #require(stage.page.coordinator.reading { $0.children(of: $0.root).first } ?? nil)
    #expect(stage.coordinator.publishers.count(of: node).observers == 1)
  }

  @Test func `the projected value publishes the changed node`() throws {
    let reach = Reach<[AnyPublisher<NodeRef, Never>]>()
    let stage = Stage("<x>t</x>") { Both(reach: reach) }
    stage.draw()
    let node = try #require(stage.page.coordinator.reading { $0.children(of: $0.root).first } ?? nil)
    let heard = Heard()
    let cancellables = (reach.value ?? []).map { publisher in
      publisher.sink(receiveCompletion: { _ in heard.note("finished") }, receiveValue: { heard.note("\($0 == node)") })
    }
    stage.coordinator.update(markup: #"<x count="1">t</x>"#)
    #expect(heard.all == ["true", "true"])
    stage.coordinator.update(markup: "")
    #expect(heard.all == ["true", "true", "finished", "finished"])
    withExtendedLifetime(cancellables) {}
  }

  struct Constant: PageView {
    @ObservedElement var element: ElementNode
    init(_ element: ElementNode) { _element = ObservedElement(element: element) }
    var body: some View { Text(element.text) }
  }

  @Test func `a constant element is not evaluated again`() {
    let fixed = Self.element("")
    let stage = Stage("<x>t</x>") { Group { Constant(fixed) } }
    stage.draw()
    stage.coordinator.update(markup: "<x>other</x>")
    #expect(stage.evaluated().filter { $0.hasPrefix("Constant") } == [])
  }
}
