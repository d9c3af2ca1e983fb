internal import LiveViewMirror
internal import MirrorSupport

/// What identifies a view for a reader: its title, the path of its address, its module, and its
/// topic, in this order. The cards of the index show it, and the filter of ``ViewsPage`` searches
/// it. Only the topic is always known.
struct IndexName {
  var title: String?
  /// The path and query of the address.
  var route: String?
  /// The host of the address.
  var host: String?
  var module: String?
  /// The id of the view's element, if the app has chosen it.
  var element: String?
  /// The topic of the channel.
  var topic: String

  /// - Parameters:
  ///   - isMain: whether the page's title and address are those of the view.
  init(of entry: IndexGroup.Entry, on page: PageLoad?, isMain: Bool) {
    title = Self.shown(entry.state?.title) ?? (isMain ? Self.shown(page?.title) : nil)
    let url = entry.life.url ?? (isMain ? page?.url : nil)
    let address = url.flatMap(HostAndPath.init)
    route = address?.path
    host = address?.host
    module = entry.state?.module
    topic = LiveViews.topic(of: entry.id, in: entry.life.page)
    let id = topic.hasPrefix("lv:") ? String(topic.dropFirst(3)) : ""
    // LiveView gives the elements without an id of the app ids such as `phx-GOnoq6dBkhWs9gcB`.
    element = id.isEmpty || id.hasPrefix("phx-") ? nil : id
  }

  /// The facts that are known, the most helpful one first. The topic is shown only if no other fact
  /// is known.
  var parts: [HTML] { isNamed ? known : ["<code>\(topic)</code>"] }

  /// Whether another fact than the topic is known.
  var isNamed: Bool { title != nil || route != nil || module != nil || element != nil }

  private var known: [HTML] {
    let parts: [HTML?] = [
      title.map { "<bdi>\(Self.beginning($0))</bdi>" },
      route.map { "<bdi class=\"route\">\(Self.beginning($0))</bdi>" },
      module.map { "<code>\($0)</code>" }, element.map { "<code>#\($0)</code>" },
    ]
    return parts.compactMap { $0 }
  }

  private static func shown(_ text: String?) -> String? {
    text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// The beginning of a text, because a feed can state addresses and titles of 8 KiB.
  static func beginning(_ text: String, limit: Int = 160) -> HTML {
    let part = text.unicodeScalars.prefix(limit)
    return part.endIndex == text.unicodeScalars.endIndex ? "\(text)" : "\(part)…"
  }
}
