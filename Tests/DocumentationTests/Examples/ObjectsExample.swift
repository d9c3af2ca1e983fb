import MarkupDocument
import MirrorViews
import NodeObservation
import Observation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

enum ObjectsExample: Example {
  // example: Objects
  final class Cart: ObservableObject, @unchecked Sendable {
    @Published var count = 0
    @Published var price = 9
  }

  @Observable final class Basket: @unchecked Sendable {
    var count = 0
    var price = 9
  }

  struct Whole: PageView {
    @ObservedObject var cart: Cart
    let part: KeyPath<Cart, Int>
    var body: some View { Tag("i") { Text("\(cart[keyPath: part])") } }
  }

  struct Selective: PageView {
    let basket: Basket
    let part: KeyPath<Basket, Int>
    var body: some View { Tag("b") { Text("\(basket[keyPath: part])") } }
  }
  // end

  static func run() throws {
    // example: Objects
    let (cart, basket) = (Cart(), Basket())
    var registry = ViewRegistry.html
    registry.register("Cart") { _ in
      Group {
        Whole(cart: cart, part: \.count)
        Whole(cart: cart, part: \.price)
        Selective(basket: basket, part: \.count)
        Selective(basket: basket, part: \.price)
      }
    }
    let page = ViewTree(of: DocumentCoordinator(markup: "<Cart/>", dialect: .native), registry: registry)
    print(page.markup)

    cart.count = 1
    basket.count = 1
    for evaluation in page.takeEvaluations() { print(evaluation) }
    print(page.markup)
    // end
  }
}
