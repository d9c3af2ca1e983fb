/// The colours that SwiftUI has names for. Each is a class of the stylesheet: `fill-red`.
enum NativeColour: String, CaseIterable, AttributeDecodable {
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, white, gray, black
}
