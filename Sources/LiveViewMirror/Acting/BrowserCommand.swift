internal import MirrorSupport
internal import RenderedTree

/// One command of a binding's value: `phx-click="[[&quot;push&quot;,{…}]]"` (`Phoenix.LiveView.JS`,
/// LiveView 1.0 to 1.2). ``ClientActions`` runs the commands in order.
struct BrowserCommand {
  /// The elements on which a command acts: the binding's element itself, all elements that match a
  /// selector, the closest match among itself and its ancestors, or its matching descendants.
  enum Target {
    case itself
    case all(String)
    case closest(String)
    case inner(String)
  }

  let name: String
  let arguments: JSON.Members

  /// The commands of a binding; `nil` if its value is the name of an event and not a list of
  /// commands.
  static func all(in binding: String) -> [BrowserCommand]? {
    guard binding.hasPrefix("["), let commands = JSON(parsing: binding)?.elements else { return nil }
    return commands.compactMap { command in
      guard let parts = command.elements, let name = parts.first?.text else { return nil }
      return BrowserCommand(name: name, arguments: parts.dropFirst().first?.members ?? .init())
    }
  }

  /// The elements that the command names; the element of the binding if it names none.
  var target: Target {
    switch arguments["to"] {
    case .string(let selector): return .all(selector)
    case .object(let members):
      if let selector = members["closest"]?.text { return .closest(selector) }
      if let selector = members["inner"]?.text { return .inner(selector) }
      return .itself
    default: return .itself
    }
  }
}
