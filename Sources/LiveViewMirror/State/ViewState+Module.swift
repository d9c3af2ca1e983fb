internal import MirrorSupport
internal import RenderedTree

/// The module of a LiveView, for the summary of a view, which the lists of views show.
extension ViewState {
  /// The module of the LiveView, such as `MyAppWeb.CartLive`, from HEEx's debug annotations; `nil`
  /// if the app has none.
  ///
  /// HEEx writes the annotation at the beginning of the template of `render`. This template is that
  /// of the root fragment, or, if the LiveView has a layout, that of a fragment in one of the
  /// root's slots.
  ///
  /// - Complexity: O(1): the beginnings of at most 65 templates are read.
  package var module: String? {
    if let module = rendered.root.statics.liveViewModule { return module }
    for case .fragment(let fragment) in rendered.root.slots.prefix(64) {
      if let module = fragment.statics.liveViewModule { return module }
    }
    return nil
  }
}

extension Statics {
  /// The module of the function `render` whose output the template is: `MyAppWeb.CartLive` for
  /// `<!-- <MyAppWeb.CartLive.render> lib/my_app_web/live/cart_live.ex:8 (my_app) -->`.
  fileprivate var liveViewModule: String? {
    let begin = "<!-- <", end = ".render> "
    guard let text = parts.first?.beginning(512).drop(while: \.isWhitespace), text.hasPrefix(begin) else { return nil }
    let rest = text.dropFirst(begin.count)
    guard let close = rest.firstRange(of: end)?.lowerBound else { return nil }
    let name = rest[..<close]
    let isModule = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isModule && !name.isEmpty ? String(name) : nil
  }
}
