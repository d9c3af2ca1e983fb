extension [Slot] {
  /// The fragment in a slot, taken out of it: so it has one owner, and what is done to it copies nothing. Put it back.
  ///
  /// Never inlined: the box that held it must be gone before anybody works on it.
  @inline(never)
  package mutating func takeFragment(at index: Int) -> Fragment? {
    guard case .fragment(let fragment) = self[index] else { return nil }
    self[index] = .text("")
    return fragment
  }

  /// The comprehension in a slot, taken out of it as ``takeFragment(at:)`` does.
  @inline(never)
  package mutating func takeComprehension(at index: Int) -> Comprehension? {
    guard case .comprehension(let comprehension) = self[index] else { return nil }
    self[index] = .text("")
    return comprehension
  }
}
