#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A value that can be bound to another: a ``Binding`` whose getter reads shared values, tracked properties or states, or
/// the ``SharedReference`` of a shared value.
public protocol Bindable<Value> {
  /// What is bound.
  associatedtype Value
  /// The two ways to the value.
  var binding: Binding<Value> { get }
}

extension Binding: Bindable {
  /// The binding itself.
  public var binding: Binding<Value> { self }
}

extension SharedReference: Bindable {}

/// Lets `target` be what `source` is, now and whenever that changes. A value that `target` has already is not set.
///
/// ```swift
/// let cancellable = bind(from: $filter, to: Binding(model, \.filter))
/// ```
///
/// - Returns: what ends it when it is cancelled or released.
public func bind<Value: Equatable>(
  from source: some Bindable<Value>, to target: some Bindable<Value>
) -> AnyCancellable {
  bind(from: source, to: target) { $0 }
}

/// Lets `target` be what `convert` makes of `source`.
public func bind<Source, Target: Equatable>(
  from source: some Bindable<Source>, to target: some Bindable<Target>, by convert: @escaping (Source) -> Target
) -> AnyCancellable {
  let (source, target) = (source.binding, target.binding)
  return observing {
    let value = convert(source.wrappedValue)
    Reader.untracked { target.settle(at: value) }
  }
}

/// Lets `target` be what a publisher says.
public func bind<Value: Equatable>(
  from source: some Publisher<Value, Never>, to target: some Bindable<Value>
) -> AnyCancellable {
  let target = target.binding
  return source.sink { target.settle(at: $0) }
}

/// Keeps two values equal: begins with the first's, then each follows the other.
///
/// What one end is set to by the binding does not come back: a conversion may lose something.
///
/// ```swift
/// let cancellable = bindBothWays($price, $text, to: { "\($0)" }, back: { Int($0) ?? 0 })
/// ```
///
/// Where both change during one publication, the first counts. Two ends of which each makes something else of what it is
/// given are not followed for ever: see ``PublicationCycle``.
///
/// - Returns: what ends it when it is cancelled or released.
public func bindBothWays<Value: Equatable>(
  _ first: some Bindable<Value>, _ second: some Bindable<Value>
) -> AnyCancellable {
  bindBothWays(first, second, to: { $0 }, back: { $0 })
}

/// Keeps two values in step that are converted into each other.
public func bindBothWays<First: Equatable, Second: Equatable>(
  _ first: some Bindable<First>, _ second: some Bindable<Second>, to: @escaping (First) -> Second,
  back: @escaping (Second) -> First
) -> AnyCancellable {
  let pair = BoundPair(first.binding, second.binding, to: to, back: back)
  return observing { pair.follow() }
}

/// Bindings are read and set on the threads that publish, on one at a time.
private func observing(_ body: @escaping () -> Void) -> AnyCancellable {
  let body = UncheckedSendable(value: body)
  return AnyCancellable(observe("binding") { body.value() })
}

/// Two values that follow each other, and what they were when they last agreed. Seen by the closure that observes alone,
/// which runs on one thread at a time.
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
  /// Sets a value that is not there already.
  fileprivate func settle(at value: Value) {
    if wrappedValue != value { wrappedValue = value }
  }
}
