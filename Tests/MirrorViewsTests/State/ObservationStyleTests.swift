import MarkupDocument
import TestSupport
import Testing

@testable import MirrorViews
import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// One model, observed as a whole and property by property.
@Suite struct ObservationStyleTests {
  final class Cart: TrackedObject, @unchecked Sendable {
    @Tracked var count = 0
    @Tracked var note = ""
    @Tracked var total = 0.5
  }

  struct Whole: PageView {
    @ObservedObject var cart: Cart
    let part: PartialKeyPath<Cart>
    var body: some View { Tag("i") { Text("\(cart[keyPath: part])") } }
  }

  struct Selective: PageView {
    let cart: Cart
    let part: PartialKeyPath<Cart>
    var body: some View { Tag("b") { Text("\(cart[keyPath: part])") } }
  }

  static var parts: [PartialKeyPath<Cart>] { [\Cart.count, \Cart.note, \Cart.total] }

  @Test func `a change evaluates three views with an observed object and one view with tracked properties`() {
    let cart = Cart()
    let whole = Stage { Group { ForEach(Self.parts, id: \.self) { Whole(cart: cart, part: $0) } } }
    let selective = Stage { Group { ForEach(Self.parts, id: \.self) { Selective(cart: cart, part: $0) } } }
    whole.draw()
    selective.draw()
    let before = (whole.page.evaluationCount, selective.page.evaluationCount)

    cart.count = 1

    #expect(whole.page.evaluationCount - before.0 == 3)
    #expect(selective.page.evaluationCount - before.1 == 1)
    #expect(selective.evaluated() == ["Selective: object `Cart.count`"])
    #expect(whole.page.takeEvaluations().count { $0.isForNothing } == 2)
    #expect(whole.draw() == "<i>1</i><i></i><i>0.5</i>")
    #expect(selective.draw() == "<b>1</b><b></b><b>0.5</b>")
  }

  @Test func `setting an equal value notifies no observer`() {
    let cart = Cart()
    let heard = Heard()
    let cancellable = cart.objectWillChange.sink { heard.note("will change") }
    let stage = Stage { Selective(cart: cart, part: \.count) }
    stage.draw()
    cart.count = 0
    #expect(heard.all == [])
    #expect(stage.evaluated() == [])
    cart.count = 1
    #expect(heard.all == ["will change"])
    cancellable.cancel()
  }

  @Test func `observers of the whole object are notified before the change`() {
    let cart = Cart()
    let heard = Heard()
    let cancellable = cart.objectWillChange.sink { heard.note("\(cart.count)") }
    cart.count = 1
    cart.count = 2
    #expect(heard.all == ["0", "1"])
    cancellable.cancel()
  }

  @Test func `an object without published properties has one publisher`() {
    let cart = Cart()
    #expect(cart.objectWillChange === cart.objectWillChange)
    #expect(cart.objectWillChange !== Cart().objectWillChange)
  }

  @Test func `several changes in one publication cause one evaluation`() {
    let cart = Cart()
    let stage = Stage { Selective(cart: cart, part: \.count) }
    stage.draw()
    Publication.run {
      cart.count = 1
      cart.count = 2
    }
    #expect(stage.evaluated() == ["Selective: object `Cart.count`"])
    #expect(stage.draw().contains("2"))
  }

  struct Choice: PageView {
    let cart: Cart
    var body: some View { Text(cart.count == 0 ? cart.note : "\(cart.total)") }
  }

  @Test func `a property that a body no longer reads does not invalidate it`() {
    let cart = Cart()
    let stage = Stage { Choice(cart: cart) }
    stage.draw()
    cart.count = 1
    #expect(stage.evaluated().count == 1)
    cart.note = "unread"
    #expect(stage.evaluated() == [])
    cart.total = 2
    #expect(stage.evaluated() == ["Choice: object `Cart.total`"])
  }

  struct Touched: PageView {
    @ObservedElement var element
    let cart: Cart
    var body: some View { Text("\(cart.count) \(element["round"] ?? "")") }
  }

  @Test func `a body that is evaluated often has one registration in each property`() throws {
    let cart = Cart()
    let stage = Stage { Touched(cart: cart) }
    stage.draw()
    for round in 0..<500 { stage.touch(round) }
    #expect(stage.page.evaluationCount >= 500)
    let property = try #require(
      Mirror(reflecting: cart).children.lazy.compactMap { $0.value as? Tracked<Int> }.first)
    let storage = try #require(
      Mirror(reflecting: property).children.lazy.compactMap { $0.value as? TrackedStorage<Int> }.first)
    #expect(storage.readerCount == 1)
    stage.coordinator.update(markup: "")
    #expect(storage.readerCount == 0)
  }

  @Test func `an object does not notify a released tree`() throws {
    let cart = Cart()
    var stage: Stage? = Stage { Selective(cart: cart, part: \.count) }
    stage?.draw()
    weak let page = stage?.page
    #expect(page != nil)
    stage = nil
    #expect(page == nil)
    cart.count = 1
  }
}
