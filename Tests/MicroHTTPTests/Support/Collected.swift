import Dispatch

/// What was said on any thread, in order.
final class Collected<Element: Sendable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "Collected")
  private var elements: [Element] = []

  /// - Returns: how many there are then.
  @discardableResult
  func append(_ element: Element) -> Int {
    queue.sync {
      elements.append(element)
      return elements.count
    }
  }

  func removeFirst() -> Element { queue.sync { elements.removeFirst() } }

  var isEmpty: Bool { queue.sync { elements.isEmpty } }

  var all: [Element] { queue.sync { elements } }
}
