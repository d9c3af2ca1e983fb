/// Takes nested values out of their slots, so that they can be changed without copies. ``Merger``
/// and ``Rendered`` use these methods.
extension [Slot] {
  /// Takes the fragment out of a slot, so that it is uniquely referenced and changes do not copy
  /// it. The caller must put it back.
  ///
  /// Never inlined: the enumeration's indirect box must be released before the caller changes the
  /// fragment.
  @inline(never)
  package mutating func takeFragment(at index: Int) -> Fragment? {
    guard case .fragment(let fragment) = self[index] else { return nil }
    self[index] = .text("")
    return fragment
  }

  /// Takes the comprehension out of a slot, as ``takeFragment(at:)`` does.
  @inline(never)
  package mutating func takeComprehension(at index: Int) -> Comprehension? {
    guard case .comprehension(let comprehension) = self[index] else { return nil }
    self[index] = .text("")
    return comprehension
  }
}
