import MarkupDocument
import MirrorViews
import NodeObservation

enum ObjectsExample: Example {
  // example: Objects
  final class Cart: TrackedObject, @unchecked Sendable {
    @Tracked var count = 0
    @Tracked var price = 9
  }

  struct Whole: PageView {
    @ObservedObject var cart: Cart
    let part: KeyPath<Cart, Int>
    var body: some View { Tag("i") { Text("\(cart[keyPath: part])") } }
  }

  struct Selective: PageView {
    let cart: Cart
    let part: KeyPath<Cart, Int>
    var body: some View { Tag("b") { Text("\(cart[keyPath: part])") } }
  }
  // end

  static func run() throws {
    // example: Objects
    let cart = Cart()
    var registry = ViewRegistry.html
    registry.register("Cart") { _ in
      Group {
        Whole(cart: cart, part: \.count)
        Whole(cart: cart, part: \.price)
        Selective(cart: cart, part: \.count)
        Selective(cart: cart, part: \.price)
      }
    }
    let page = ViewTree(of: DocumentCoordinator(markup: "<Cart/>", dialect: .native), registry: registry)
    print(page.markup)

    cart.count = 1
    for evaluation in page.takeEvaluations() { print(evaluation) }
    print(page.markup)
    // end
  }
}
