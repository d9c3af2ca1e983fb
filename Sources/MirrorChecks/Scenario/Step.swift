/// One step of a scenario on a live page.
package struct Step: Sendable, Hashable {
  /// What a step does.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// Clicks an element.
    case click
    /// Enters a value into a field, or values into the fields of a form.
    case change
    /// Submits a form.
    case submit
    /// Waits until an element is on the page, with a text if the step has one.
    case waitFor = "wait_for"
    /// As ``waitFor``: the step fails if the element is not on the page in time.
    case assert
    /// Waits until a text is on the page.
    case assertText = "assert_text"
    /// Waits until no element matches.
    case assertNone = "assert_none"
    /// Waits for a time.
    case pause
  }

  package var action: Action
  /// The selector, the text or the time.
  package var target: String
  /// The text that the element must contain, with white space collapsed.
  package var text: String?
  /// The value of a field.
  package var value: String?
  /// The values of the fields of a form, by their names.
  package var values: [Value] = []
  /// The time within which the step must succeed, or for ``Action/pause`` the time to wait, in milliseconds.
  package var time: Int
  /// The line of the step in its file.
  package var line: Int

  /// A value of a field.
  package struct Value: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  /// The time within which a step must succeed, unless it states another one.
  package static let usualTime = 5_000

  /// The step for messages: `click "#inc"`.
  package var title: String { "\(action.rawValue) \"\(target)\"\(text.map { " with \"\($0)\"" } ?? "")" }
}
