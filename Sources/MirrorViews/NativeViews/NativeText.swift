internal import NodeObservation

/// `Text`: the text of an attribute such as `verbatim`, and the content of the element.
/// ``ViewRegistry/native`` registers it.
struct NativeText: PageView {
  @ObservedElement private var element
  @Attribute("verbatim") private var verbatim: String?
  @Attribute("markdown") private var markdown: String?
  @Attribute("date") private var date: String?
  @Attribute("font") private var font: Font?
  @Attribute("bold") private var isBold: Bool
  @Attribute("italic") private var isItalic: Bool
  @Attribute("underline") private var isUnderlined: Bool
  @Attribute("strikethrough") private var isStruck: Bool

  private enum Font: String, CaseIterable, AttributeDecodable {
    case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
  }

  var body: some View {
    NativeTag(.span, classes, of: element) {
      // Markdown is drawn as plain text.
      if let text = verbatim ?? markdown ?? date { Text(text) }
      Children(of: element)
    }
  }

  private var classes: String {
    var classes = ["text"]
    if let font { classes.append("font-\(font.rawValue)") }
    if isBold { classes.append("bold") }
    if isItalic { classes.append("italic") }
    if isUnderlined { classes.append("underline") }
    if isStruck { classes.append("strikethrough") }
    return classes.joined(separator: " ")
  }
}

/// `Label`: an icon and a title, each from a template or an attribute. ``ViewRegistry/native``
/// registers this view.
struct NativeLabel: PageView {
  @ObservedElement(observeChildren: true) private var element
  @Attribute("title") private var title: String?
  @Attribute("systemImage") private var systemImage: String?

  var body: some View {
    let slots = Slots(of: element, named: "icon", "title")
    NativeTag(.span, "label", of: element) {
      if let icon = slots["icon"] { icon } else if let systemImage { SymbolView(name: systemImage) }
      NativeTag(.span, "label-title") {
        if let title { Text(title) }
        if let title = slots["title"] { title }
        slots.content
      }
    }
  }
}
