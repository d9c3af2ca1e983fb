/// One step of a scenario on live pages. ``ScenarioReader`` makes it, and `ScenarioRun` of
/// `liveview-mirror-attach` runs it.
package struct ScenarioStep: Sendable, Hashable {
  /// What a step does.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// Fills in the form of a page without a LiveView connection, submits it, and keeps the
    /// cookies.
    case logIn = "log_in"
    /// Sets a cookie for the host of the scenario.
    case cookie
    /// Opens another page, in addition to the open ones.
    case open
    /// Loads another address in the page.
    case navigate
    /// Clicks an element.
    case click
    /// Presses and releases a key, on an element or on the window.
    case press
    /// Enters a value into a field, or values into the fields of a form.
    case change
    /// Submits a form.
    case submit
    /// Waits until an element is on the page, with a text if the step has one. The step fails if
    /// this takes too long.
    case waitFor = "wait_for"
    /// The same as ``waitFor``, under a name for checks.
    case assert
    /// Waits until a text is on the page.
    case assertText = "assert_text"
    /// Waits until no element matches.
    case assertNone = "assert_none"
    /// Waits for a time.
    case pause

    /// Whether the target is a CSS selector.
    var hasSelector: Bool {
      switch self {
      case .click, .change, .submit, .waitFor, .assert, .assertNone: true
      case .logIn, .cookie, .open, .navigate, .press, .assertText, .pause: false
      }
    }

    /// Whether the step is about a page that is open.
    package var needsPage: Bool {
      switch self {
      case .logIn, .cookie, .open: false
      default: true
      }
    }
  }

  package var action: Action
  /// What the action is about: a selector, a text, a key, an address, the name of a cookie, or a
  /// time.
  package var target: String
  /// The selector of the element of ``Action/press``; `nil` presses the key on the window.
  package var element: String?
  /// The name of the page. ``Action/open`` gives it, the others name it.
  package var page = mainPage
  /// The text that the element must contain, with white space collapsed.
  package var text: String?
  /// The value of a field or a cookie.
  package var value: String?
  /// The values of the fields of a form, by their names.
  package var values: [Value] = []
  /// The time within which the step must succeed, or for ``Action/pause`` the time to wait, in
  /// milliseconds.
  package var time: Int
  /// The line of the step in its file.
  package var line: Int

  /// A value of a field.
  package struct Value: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  /// The time within which a step must succeed, in milliseconds, unless the step states another
  /// time.
  package static let usualTime = 5_000

  /// The name of the page that the scenario is run on.
  package static let mainPage = "main"

  /// The step for messages: `click "#inc"`. It has no values, which may be secret.
  package var title: String {
    let on = element.map { " on \"\($0)\"" } ?? ""
    let place = page == Self.mainPage ? "" : action == .open ? " as \(page)" : " of page \(page)"
    return "\(action.rawValue) \"\(target)\"\(on)\(text.map { " with \"\($0)\"" } ?? "")\(place)"
  }
}
