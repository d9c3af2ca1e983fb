internal import LiveViewMirror
public import MarkupDocument

/// The present state of the page. A program reads it after an event, as `liveview-mirror-attach`
/// does.
extension LivePage {
  /// The address that the page shows now.
  public var url: String? { session?.location }

  /// The title of the page.
  public var title: String? { session?.title }

  /// The topics of the views, such as `lv:phx-F1x`, parents before their children.
  public var topics: [String] { session?.views.map(\.topic) ?? [] }

  /// Whether every view is joined.
  public var isSettled: Bool { session.map { !$0.views.isEmpty && $0.views.allSatisfy { !$0.isJoinPending } } ?? false }

  /// The topic of the page's main view.
  public var mainTopic: String? { session?.main?.topic }

  /// The version of LiveView on the server; `nil` until a view is joined.
  public var serverVersion: String? { session?.serverVersion }

  /// The document of a view; `nil` until the view is joined.
  ///
  /// - Parameter view: the topic of the view, or the id of its element.
  public func document(of view: String) -> Document? { session?.view(named: view)?.document.document }

  /// The content of a view's element as markup; `nil` until the view is joined.
  public func markup(of view: String) -> String? { document(of: view).map { $0.markup(of: $0.root) } }
}
