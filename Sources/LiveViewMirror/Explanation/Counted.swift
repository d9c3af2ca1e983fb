/// A number with its noun: `1 slot`, `3 slots`, `3 entries`.
package func counted(_ number: Int, _ noun: String) -> String {
  if number == 1 { return "1 \(noun)" }
  return "\(number) \(noun.hasSuffix("y") ? "\(noun.dropLast())ies" : "\(noun)s")"
}
