/// The named colours of SwiftUI. Each is a class of the style sheet: `fill-red`.
enum NativeColour: String, CaseIterable, AttributeDecodable {
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, white, gray, black
}
