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

/// A model, observed as a whole and property by property.
@Suite struct ObservationStyleTests {
  final class Cart: @unchecked Sendable {
    @Shared(value: 0, name: "Cart.count") var count
    @Shared(value: "") var note
    @Shared(value: 0.5) var total
  }

  final class WholeCart: ObservableObject, @unchecked Sendable {
    @Published var count = 0
    @Published var note = ""
    @Published var total = 0.5
  }

  struct Whole: PageView {
    @ObservedObject var cart: WholeCart
    let part: PartialKeyPath<WholeCart>
    var body: some View { Tag("i") { Text("\(cart[keyPath: part])") } }
  }

  struct Selective: PageView {
    let cart: Cart
    let part: PartialKeyPath<Cart>
    var body: some View { Tag("b") { Text("\(cart[keyPath: part])") } }
  }

  static var wholeParts: [PartialKeyPath<WholeCart>] { [\.count, \.note, \.total] }
  static var parts: [PartialKeyPath<Cart>] { [\Cart.count, \Cart.note, \Cart.total] }

  @Test func `a change evaluates three views with an observed object and one view with shared properties`() {
    let (cart, wholeCart) = (Cart(), WholeCart())
    let whole = Stage { Group { ForEach(Self.wholeParts, id: \.self) { Whole(cart: wholeCart, part: $0) } } }
    let selective = Stage { Group { ForEach(Self.parts, id: \.self) { Selective(cart: cart, part: $0) } } }
    whole.draw()
    selective.draw()

    wholeCart.count = 1
    cart.count = 1

    #expect(selective.evaluated() == ["Selective: shared `Cart.count`"])
    #expect(whole.page.takeEvaluations().map(\.isForNothing) == [false, true, true])
    #expect(whole.draw() == "<i>1</i><i></i><i>0.5</i>")
    #expect(selective.draw() == "<b>1</b><b></b><b>0.5</b>")
  }

  @Test func `setting an equal value notifies no observer`() {
    let cart = Cart()
    let stage = Stage { Selective(cart: cart, part: \.count) }
    stage.draw()
    cart.count = 0
    #expect(stage.evaluated() == [])
    cart.count = 1
    #expect(stage.evaluated().count == 1)
  }

  @Test func `two objects of a type have values of their own`() {
    let (a, b) = (Cart(), Cart())
    a.count = 1
    #expect((a.count, b.count) == (1, 0))
  }

  @Test func `several changes in one publication cause one evaluation`() {
    let cart = Cart()
    let stage = Stage { Selective(cart: cart, part: \.count) }
    stage.draw()
    Publication.run {
      cart.count = 1
      cart.count = 2
    }
    #expect(stage.evaluated() == ["Selective: shared `Cart.count`"])
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
    #expect(stage.evaluated() == ["Choice: shared `Cart`"])
  }

  struct Touched: PageView {
    @ObservedElement var element
    let cart: Cart
    var body: some View { Text("\(cart.count) \(element["round"] ?? "")") }
  }

  @Test func `a body that is evaluated often has one registration in each property`() {
    let cart = Cart()
    let stage = Stage { Touched(cart: cart) }
    stage.draw()
    for round in 0..<500 { stage.touch(round) }
    #expect(stage.page.evaluationCount >= 500)
    let cell = cart.$count.link.current
    #expect(cell.readerCount == 1)
    stage.coordinator.update(markup: "")
    #expect(cell.readerCount == 0)
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
