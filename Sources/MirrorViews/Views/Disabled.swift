private enum IsEnabled: EnvironmentKey { static let defaultValue = true }

extension EnvironmentValues {
  /// Whether controls take input. ``View/disabled(_:)`` sets the value for the views inside. Every
  /// control and the property wrapper `Disabled` read this value.
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
