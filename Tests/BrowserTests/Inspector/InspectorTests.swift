import Testing

extension BrowserSuite {
  /// The page of a view in a real browser: a test for each feature of docs/inspector.md.
  @Suite struct InspectorTests {}
}
