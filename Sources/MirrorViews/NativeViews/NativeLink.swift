/// `Link` and `NavigationLink`. The view is a link if the destination is an ``AllowedURL`` and the
/// element is neither disabled nor inside of another link; otherwise it is a `span`.
/// ``ViewRegistry/native`` registers this view for both tags.
struct NativeLink: PageView {
  let name: String
  @ObservedElement private var element
  @Attribute("destination") private var destination: AllowedURL?
  @Disabled private var isDisabled: Bool
  @Environment(\.isInLink) private var isInLink

  init(_ name: String) { self.name = name }

  var body: some View {
    // HTML does not allow nested links: a parser would end the outer link.
    let href = isInLink || isDisabled ? nil : destination
    let attributes = HTMLAttributes(
      role: href == nil ? "link" : nil, label: Slot(children: element.children).isDrawn ? nil : "Link", href: href,
      isDisabled: isDisabled)
    NativeTag(href == nil ? .span : .a, name, of: element, attributes) { Children(of: element) }
      .environment(\.isInLink, isInLink || href != nil)
  }
}

private enum IsInLinkKey: EnvironmentKey { static let defaultValue = false }

extension EnvironmentValues {
  fileprivate var isInLink: Bool {
    get { self[IsInLinkKey.self] }
    set { self[IsInLinkKey.self] = newValue }
  }
}
