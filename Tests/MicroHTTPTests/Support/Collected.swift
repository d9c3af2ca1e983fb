import Dispatch

/// A thread-safe array: elements in the order in which threads append them.
final class Collected<Element: Sendable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "Collected")
  private var elements: [Element] = []

  /// - Returns: the new number of elements.
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
