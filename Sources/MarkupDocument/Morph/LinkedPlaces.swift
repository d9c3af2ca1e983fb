/// An order of places in some array, linked both ways: a place is put before another and taken out in O(1).
struct LinkedPlaces: Sequence {
  fileprivate struct Link {
    var previous = LinkedPlaces.none
    var next = LinkedPlaces.none
  }

  fileprivate static let none = -1

  /// By place; a place that does not stand in the order has a link that nobody follows.
  private var links: [Link] = []
  private var head = none
  private var tail = none
  private(set) var count = 0

  var last: Int? { tail == Self.none ? nil : tail }

  /// Puts a place that does not stand here before one that does or, without one, at the end.
  mutating func insert(_ place: Int, before next: Int?) {
    if place >= links.count { links.append(contentsOf: repeatElement(Link(), count: place + 1 - links.count)) }
    let previous = next.map { links[$0].previous } ?? tail
    links[place] = Link(previous: previous, next: next ?? Self.none)
    if previous == Self.none { head = place } else { links[previous].next = place }
    if let next { links[next].previous = place } else { tail = place }
    count += 1
  }

  /// Takes out a place that stands here.
  mutating func remove(_ place: Int) {
    let link = links[place]
    if link.previous == Self.none { head = link.next } else { links[link.previous].next = link.next }
    if link.next == Self.none { tail = link.previous } else { links[link.next].previous = link.previous }
    count -= 1
  }

  /// The last `count` places, the very last first.
  func backwards(_ count: Int) -> [Int] {
    Array(sequence(first: tail) { links[$0].previous }.prefix(count))
  }

  func makeIterator() -> Iterator { Iterator(links: links, upcoming: head) }

  struct Iterator: IteratorProtocol {
    fileprivate let links: [Link]
    fileprivate var upcoming: Int

    mutating func next() -> Int? {
      guard upcoming != LinkedPlaces.none else { return nil }
      defer { upcoming = links[upcoming].next }
      return upcoming
    }
  }
}
