/// A slot of a template, for all its instances: `2.k.*.1` is slot 1 of every entry of the list in
/// slot 2.
///
/// A change set refers to slots of one diff (`2.k.4.1`). The entries of a list share one template,
/// so all of them are one slot of a template, on one line of a file. The form is that of a slot's
/// name, except:
///
/// - The index of an entry after `k` (LiveView ≥ 1.1) or `d` (LiveView 1.0) is `*`. The extra step of a moved entry with changes
///   (`2.k.4.1.0` for slot 0 of an entry that comes from elsewhere) is left out.
/// - The id of a component is `*` and the smallest id that was sent with the same template: `c.*3.0` is slot 0 of component 3
///   and of all components with its template. Which module a component belongs to is not on the wire.
package struct TemplateSlot: Hashable, Sendable, CustomStringConvertible {
  /// One step of the path.
  package enum Step: Hashable, Sendable, CustomStringConvertible {
    case index(Int)
    case key(String)
    /// Every entry of a list.
    case entry
    /// Every component with the template of this one.
    case component(Int)

    package var description: String {
      switch self {
      case .index(let index): String(index)
      case .key(let key): key
      case .entry: "*"
      case .component(let cid): "*\(cid)"
      }
    }
  }

  /// The steps, from the root. At most ``SlotTree/maximumDepth``.
  package let steps: [Step]

  /// The form with dots; the empty string for the whole page.
  package var description: String { steps.map(\.description).joined(separator: ".") }
}
