extension ViewRegistry {
  /// Views for the elements of LiveView Native's SwiftUI client. They write HTML for the style
  /// sheet `Public/frame/native.css`. ``standard(for:)`` returns this registry for the dialect
  /// `native`.
  ///
  /// ```swift
  /// var registry = ViewRegistry.native
  /// registry.register("Badge") { _ in BadgeView() }      // the last registration of a tag is used
  /// ```
  ///
  /// The markup of a LiveView cannot run code in the page. The views write only the tags of
  /// `HTMLTag` and the attributes of `NativeTag`. Texts are escaped, links are ``AllowedURL``s,
  /// images are ``AllowedImageURL``s, and styles contain only numbers.
  public static let native: ViewRegistry = {
    var registry = ViewRegistry { _ in NativeUnknown() }
    for box in NativeBox.all {
      for tag in box.tags { registry.register(tag) { _ in NativeBoxView(box) } }
    }
    registry.register("Text") { _ in NativeText() }
    registry.register("Label") { _ in NativeLabel() }
    registry.register("Image") { _ in NativeImage() }
    registry.register("AsyncImage") { _ in NativeAsyncImage() }
    registry.register("Link") { _ in NativeLink("link") }
    registry.register("NavigationLink") { _ in NativeLink("navigation-link") }

    registry.register("Button", "LiveSubmitButton") { _ in NativeButton() }
    registry.register("Toggle") { _ in NativeToggle() }
    registry.register("TextField") { _ in NativeField(.line) }
    registry.register("SecureField") { _ in NativeField(.secret) }
    registry.register("TextEditor") { _ in NativeField(.editor) }
    registry.register("Picker") { _ in NativePicker() }
    registry.register("DatePicker") { _ in NativeValuePicker("date-picker") }
    registry.register("ColorPicker") { _ in NativeValuePicker("color-picker") }
    registry.register("Slider") { _ in NativeRange(.slider) }
    registry.register("Stepper") { _ in NativeRange(.stepper) }
    registry.register("ProgressView") { _ in NativeRange(.progress) }
    registry.register("Gauge") { _ in NativeRange(.gauge) }

    registry.register("DisclosureGroup") { _ in NativeDisclosure() }
    registry.register("Menu") { _ in NativeMenu() }
    registry.register("TabView") { _ in NativeTabs() }
    registry.register("GridRow") { _ in NativeGridRow() }
    return registry
  }()
}

/// The fallback view of ``ViewRegistry/native``: an element without a registered view is drawn as a
/// box with the element's tag and content.
struct NativeUnknown: PageView {
  @ObservedElement private var element

  var body: some View {
    NativeTag(.div, "unknown", of: element) {
      NativeTag(.span, "unknown-name") { Text(element.tag) }
      Children(of: element)
    }
  }
}
