private enum IsEnabled: EnvironmentKey { static let defaultValue = true }

extension EnvironmentValues {
  /// Whether a person can act on the views. ``View/disabled(_:)`` sets it. While it is false,
  /// controls take no input.
  public var isEnabled: Bool {
    get { self[IsEnabled.self] }
    set { self[IsEnabled.self] = newValue }
  }
}

nonisolated extension View {
  /// Sets whether a person can act on this view and all views inside it. A view inside a disabled
  /// one cannot be enabled.
  public func disabled(_ isDisabled: Bool) -> some View {
    EnvironmentView(content: self) { if isDisabled { $0.isEnabled = false } }
  }
}
