/// `Image`: a symbol, or an image of the native app. The mirror does not have the app's images, so
/// it shows the name of the image instead. ``ViewRegistry/native`` registers this view.
struct NativeImage: PageView {
  @ObservedElement private var element
  @Attribute("systemName") private var systemName: String?
  @Attribute("name") private var name: String?

  var body: some View {
    NativeTag(.span, "image", of: element) {
      if let systemName {
        SymbolView(name: systemName)
      } else if let name {
        NativeTag(.span, "asset", of: nil, HTMLAttributes(role: "img", title: name)) { Text(name) }
      }
      Children(of: element)
    }
  }
}

/// `AsyncImage`: the image of an ``AllowedImageURL``. The content of the element describes loading
/// phases. A page without scripts cannot distinguish the phases, so the content is always drawn, as
/// the caption. ``ViewRegistry/native`` registers this view.
struct NativeAsyncImage: PageView {
  @ObservedElement private var element
  @Attribute("url") private var url: AllowedImageURL?
  // An image without a description may be the only content of a link, so it is not hidden from
  // assistive technology.
  @Attribute("alt") private var alt = "Image"

  var body: some View {
    NativeTag(.span, "async-image", of: element) {
      if let url { NativeTag(.img, of: nil, HTMLAttributes(src: url, alt: alt)) }
      Children(of: element)
    }
  }
}

/// A symbol of SF Symbols, drawn as a similar character. If no similar character is known, the name
/// of the symbol is drawn. ``NativeImage`` and ``NativeLabel`` use this view.
struct SymbolView: PageView {
  let name: String

  var body: some View {
    NativeTag(
      .span, Self.characters[stem] == nil ? "symbol named" : "symbol", of: nil, HTMLAttributes(role: "img", title: name)
    ) {
      Text(Self.characters[stem].map { "\($0)\u{FE0E}" } ?? name)
    }
  }

  /// The name without its variant: `star` for `star.fill` and `star.circle`.
  private var stem: String { name.prefix { $0 != "." }.description }

  private static let characters: [String: Character] = [
    "star": "★", "heart": "♥", "trash": "⌫", "plus": "+", "minus": "−", "xmark": "✕", "checkmark": "✓", "pencil": "✎",
    "gear": "⚙", "gearshape": "⚙", "house": "⌂", "magnifyingglass": "⌕", "envelope": "✉", "phone": "☎", "cart": "⊞",
    "ellipsis": "…", "circle": "○", "square": "□", "triangle": "△", "flag": "⚑", "bolt": "ϟ", "cloud": "☁", "sun": "☀",
    "moon": "☾", "bell": "⍾", "clock": "◷", "tray": "⍗", "info": "ⓘ", "exclamationmark": "!", "questionmark": "?",
    "music": "♪", "airplane": "✈", "scissors": "✂", "umbrella": "☂", "snowflake": "❄",
  ]
}
