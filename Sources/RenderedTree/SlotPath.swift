/// A path in a Rendered tree or a diff: `0.3`, `2.k.4.1`, `c.7.0`. Errors and causes of changes
/// name slots by it.
///
/// It has two text forms: change sets use dots, errors use JSON Pointer (RFC 6901).
package struct SlotPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  package enum Step: Hashable, Sendable, CustomStringConvertible {
    case index(Int)
    case key(String)
    /// The changes of a moved entry: the second element of `[old, diff]`, written as `1`.
    case changesOfMoved

    package var description: String {
      switch self {
      case .index(let index): String(index)
      case .key(let key): key
      case .changesOfMoved: "1"
      }
    }
  }

  package var steps: [Step]

  package init(_ steps: [Step] = []) { self.steps = steps }

  package static func + (path: SlotPath, step: Step) -> SlotPath { SlotPath(path.steps + [step]) }

  /// The form with dots; the root is the empty string.
  package var description: String {
    if steps.count == 1 { return steps[0].description }
    var text = ""
    for (position, step) in steps.enumerated() {
      if position > 0 { text += "." }
      text += step.description
    }
    return text
  }

  /// The JSON Pointer form (RFC 6901); the root is the empty string.
  package var pointer: String {
    var text = ""
    for step in steps {
      text += "/"
      switch step {
      case .index, .changesOfMoved: text += step.description
      case .key(let key):
        for character in key.unicodeScalars {
          switch character {
          case "~": text += "~0"
          case "/": text += "~1"
          default: text.unicodeScalars.append(character)
          }
        }
      }
    }
    return text
  }
}
