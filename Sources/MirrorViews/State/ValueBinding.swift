public import NodeObservation

/// The error that a binding announces no changes, so that no other value can follow its value. The
/// functions of this file, which bind two values, throw this error. Only programs call these
/// functions; the mirror does not.
public struct UnfollowedBinding: Error, Sendable, CustomStringConvertible {
  /// Names the value that announces no changes, and the remedy.
  public let description: String

  fileprivate static func check<Value>(_ binding: Binding<Value>, is role: String) throws(UnfollowedBinding) {
    let binding = UncheckedSendable(value: binding)
    let probe = observe { _ = binding.value.wrappedValue }
    defer { probe.cancel() }
    if probe.isFollowing { return }
    throw UnfollowedBinding(
      description:
        "the \(role) announces no changes: its getter reads no shared value, state or `@Observable` property. "
        + "For a `@Published` property, bind from its publisher: bind(from: model.$name, to: …)")
  }
}

/// Sets `target` to the value of `source`, now and whenever `source` changes. If the values are
/// equal, `target` is not set.
///
/// ```swift
/// let cancellable = bind(from: Binding($filter), to: Binding(model, \.filter))
/// ```
///
/// - Returns: the subscription. The values are bound until it is cancelled or released.
/// - Throws: ``UnfollowedBinding`` if `source` announces no changes.
public func bind<Value: Equatable>(
  from source: Binding<Value>, to target: Binding<Value>
) throws(UnfollowedBinding) -> AnyCancellable {
  try bind(from: source, to: target) { $0 }
}

/// Sets `target` to the converted value of `source`, now and whenever `source` changes.
///
/// - Returns: the subscription. The values are bound until it is cancelled or released.
/// - Throws: ``UnfollowedBinding`` if `source` announces no changes.
public func bind<Source, Target: Equatable>(
  from source: Binding<Source>, to target: Binding<Target>, by convert: @escaping (Source) -> Target
) throws(UnfollowedBinding) -> AnyCancellable {
  try UnfollowedBinding.check(source, is: "source")
  return observing {
    let value = convert(source.wrappedValue)
    Reader.untracked { target.settle(at: value) }
  }
}

/// Sets `target` to each value of a publisher, unless the values are equal.
///
/// - Returns: the subscription. The values are bound until it is cancelled or released.
public func bind<Value: Equatable>(
  from source: some Publisher<Value, Never>, to target: Binding<Value>
) -> AnyCancellable {
  source.sink { target.settle(at: $0) }
}

/// Keeps two values equal. First the second value is set to the first one. From then on, when one
/// of the two values changes, the other one is set.
///
/// With conversions, a value that this function has set is not converted back, because a conversion
/// may lose information.
///
/// ```swift
/// let cancellable = bindBothWays(Binding($price), Binding($text), to: { "\($0)" }, back: { Int($0) ?? 0 })
/// ```
///
/// If both values change during one publication, the change of the first value is used. If the two
/// values change each other without end, the cycle is stopped: see `PublicationCycle`.
///
/// - Returns: the subscription. The values are bound until it is cancelled or released.
/// - Throws: ``UnfollowedBinding`` if one of the values announces no changes.
public func bindBothWays<Value: Equatable>(
  _ first: Binding<Value>, _ second: Binding<Value>
) throws(UnfollowedBinding) -> AnyCancellable {
  try bindBothWays(first, second, to: { $0 }, back: { $0 })
}

/// Keeps two values in agreement that are converted into each other: see ``bindBothWays(_:_:)``.
///
/// - Parameters:
///   - first: the first value.
///   - second: the second value, which is set at once.
///   - to: converts the first value.
///   - back: converts the second value.
/// - Returns: the subscription. The values are bound until it is cancelled or released.
/// - Throws: ``UnfollowedBinding`` if one of the values announces no changes.
public func bindBothWays<First: Equatable, Second: Equatable>(
  _ first: Binding<First>, _ second: Binding<Second>, to: @escaping (First) -> Second,
  back: @escaping (Second) -> First
) throws(UnfollowedBinding) -> AnyCancellable {
  try UnfollowedBinding.check(first, is: "first value")
  try UnfollowedBinding.check(second, is: "second value")
  let pair = BoundPair(first, second, to: to, back: back)
  return observing { pair.follow() }
}

/// Runs `body` now and whenever a value that it reads changes. `body` may run on different threads,
/// but never on two at once.
private func observing(_ body: @escaping () -> Void) -> AnyCancellable {
  let body = UncheckedSendable(value: body)
  return AnyCancellable(observe("binding") { body.value() })
}

/// The two bindings of ``bindBothWays(_:_:)``, and their values when they last agreed. Only one
/// observing closure uses the object. The closure never runs on two threads at once, so the object
/// needs no lock.
private final class BoundPair<First: Equatable, Second: Equatable> {
  private let first: Binding<First>
  private let second: Binding<Second>
  private let to: (First) -> Second
  private let back: (Second) -> First
  private var agreed: (first: First, second: Second)?

  init(
    _ first: Binding<First>, _ second: Binding<Second>, to: @escaping (First) -> Second,
    back: @escaping (Second) -> First
  ) {
    (self.first, self.second, self.to, self.back) = (first, second, to, back)
  }

  /// Reads both values, and sets the one whose counterpart has changed since they last agreed. If
  /// both have changed, the second value is set.
  func follow() {
    let (left, right) = (first.wrappedValue, second.wrappedValue)
    Reader.untracked {
      if agreed?.first != left {
        let value = to(left)
        agreed = (left, value)
        second.settle(at: value)
      } else if agreed?.second != right {
        let value = back(right)
        agreed = (value, right)
        first.settle(at: value)
      }
    }
  }
}

extension Binding where Value: Equatable {
  /// Sets the value, unless the current value is equal.
  fileprivate func settle(at value: Value) {
    if wrappedValue != value { wrappedValue = value }
  }
}
