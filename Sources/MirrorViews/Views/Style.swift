// How a view is drawn: fonts, colours, sizes, animations. A mirror draws nothing, so these modifiers have no effect but an attribute.

nonisolated extension View {
  /// Notes in the attribute `data-style` how the view would be drawn, as in `data-style="bold(); padding(8)"`.
  ///
  /// All modifiers of this kind use it: they are accepted, so that views of other programs compile, and nothing else of the markup
  /// depends on them. The attribute is on the outermost elements of the view. A text without an element is put into a `span`, and a view
  /// with a body of its own into a `div`.
  public func drawn(_ modifier: String) -> some View { StyledView(content: self, modifier: modifier) }

  public func bold(_ isActive: Bool = true) -> some View { drawn(isActive ? "bold()" : "bold(false)") }
  public func italic(_ isActive: Bool = true) -> some View { drawn(isActive ? "italic()" : "italic(false)") }
  public func underline(_ isActive: Bool = true) -> some View { drawn(isActive ? "underline()" : "underline(false)") }
  public func strikethrough(_ isActive: Bool = true) -> some View {
    drawn(isActive ? "strikethrough()" : "strikethrough(false)")
  }
  public func font(_ font: Font?) -> some View { drawn(.call("font", font?.name)) }
  public func fontWeight(_ weight: Font.Weight?) -> some View { drawn(.call("fontWeight", weight?.rawValue)) }
  public func lineLimit(_ number: Int?) -> some View { drawn(.call("lineLimit", number.map(String.init))) }
  public func foregroundStyle(_ colour: Color) -> some View { drawn(.call("foregroundStyle", colour.name)) }
  public func foregroundColor(_ colour: Color?) -> some View { drawn(.call("foregroundColor", colour?.name)) }
  public func tint(_ colour: Color?) -> some View { drawn(.call("tint", colour?.name)) }
  public func background(_ colour: Color) -> some View { drawn(.call("background", colour.name)) }
  public func opacity(_ opacity: Double) -> some View { drawn(.call("opacity", opacity.shortest)) }
  public func cornerRadius(_ radius: Double) -> some View { drawn(.call("cornerRadius", radius.shortest)) }
  public func padding(_ length: Double) -> some View { drawn(.call("padding", length.shortest)) }
  public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> some View {
    drawn(.call("padding", edges.name, length?.shortest))
  }
  public func frame(width: Double? = nil, height: Double? = nil, alignment: Alignment? = nil) -> some View {
    drawn(
      .call("frame", ("width", width?.shortest), ("height", height?.shortest), ("alignment", alignment?.rawValue))
        ?? "frame()")
  }
  public func frame(
    minWidth: Double? = nil, idealWidth: Double? = nil, maxWidth: Double? = nil, minHeight: Double? = nil,
    idealHeight: Double? = nil, maxHeight: Double? = nil, alignment: Alignment? = nil
  ) -> some View {
    drawn(
      .call(
        "frame", ("minWidth", minWidth?.shortest), ("idealWidth", idealWidth?.shortest),
        ("maxWidth", maxWidth?.shortest), ("minHeight", minHeight?.shortest),
        ("idealHeight", idealHeight?.shortest), ("maxHeight", maxHeight?.shortest),
        ("alignment", alignment?.rawValue)) ?? "frame()")
  }
  public func offset(x: Double = 0, y: Double = 0) -> some View {
    drawn("offset(x: \(x.shortest), y: \(y.shortest))")
  }
  public func rotationEffect(_ angle: Angle) -> some View { drawn("rotationEffect(\(angle.degrees.shortest)°)") }
  public func scaleEffect(_ scale: Double) -> some View { drawn(.call("scaleEffect", scale.shortest)) }
  public func animation(_ animation: Animation?, value: some Equatable) -> some View {
    drawn(.call("animation", animation?.name))
  }
}

private struct StyledView<Content: View>: PrimitiveView {
  let content: Content
  let modifier: String

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.styled(view.modifier) { Content._expand(view.content, into: &$0) }
  }
}

/// Runs `body`. Nothing is animated, see ``View/drawn(_:)``.
public func withAnimation<Result, Failure: Error>(
  _ animation: Animation? = .default, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// A font, for ``View/font(_:)``.
public struct Font: Sendable, Hashable {
  public enum Weight: String, Sendable { case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black }

  let name: String

  public static let largeTitle = Font(name: "largeTitle")
  public static let title = Font(name: "title")
  public static let title2 = Font(name: "title2")
  public static let title3 = Font(name: "title3")
  public static let headline = Font(name: "headline")
  public static let subheadline = Font(name: "subheadline")
  public static let body = Font(name: "body")
  public static let callout = Font(name: "callout")
  public static let footnote = Font(name: "footnote")
  public static let caption = Font(name: "caption")
  public static let caption2 = Font(name: "caption2")
  public static func system(size: Double, weight: Weight? = nil) -> Font {
    Font(name: .call("system", ("size", size.shortest), ("weight", weight?.rawValue)) ?? "")
  }
  public static func custom(_ name: String, size: Double) -> Font {
    Font(name: "custom(\(name), size: \(size.shortest))")
  }
  public func bold() -> Font { Font(name: name + ".bold()") }
  public func weight(_ weight: Weight) -> Font { Font(name: "\(name).weight(\(weight.rawValue))") }
}

/// A colour, for ``View/foregroundStyle(_:)`` and ``Shape/fill(_:)``.
public struct Color: Sendable, Hashable {
  let name: String

  public init(_ name: String) { self.name = name }
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    name = "rgb(\(red.shortest), \(green.shortest), \(blue.shortest), \(opacity.shortest))"
  }
  public static let primary = Color("primary")
  public static let secondary = Color("secondary")
  public static let accentColor = Color("accentColor")
  public static let clear = Color("clear")
  public static let black = Color("black")
  public static let white = Color("white")
  public static let gray = Color("gray")
  public static let red = Color("red")
  public static let orange = Color("orange")
  public static let yellow = Color("yellow")
  public static let green = Color("green")
  public static let mint = Color("mint")
  public static let teal = Color("teal")
  public static let cyan = Color("cyan")
  public static let blue = Color("blue")
  public static let indigo = Color("indigo")
  public static let purple = Color("purple")
  public static let pink = Color("pink")
  public static let brown = Color("brown")
  public func opacity(_ opacity: Double) -> Color { Color("\(name).opacity(\(opacity.shortest))") }
}

/// An angle, for ``View/rotationEffect(_:)``.
public struct Angle: Sendable, Hashable {
  public var degrees: Double
  public var radians: Double { degrees * .pi / 180 }

  public init(degrees: Double = 0) { self.degrees = degrees }
  public init(radians: Double) { degrees = radians * 180 / .pi }
  public static let zero = Angle()
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
}

/// An animation, for ``withAnimation(_:_:)``. Nothing is animated.
public struct Animation: Sendable, Hashable {
  let name: String

  public static let `default` = Animation(name: "default")
  public static let linear = Animation(name: "linear")
  public static let easeIn = Animation(name: "easeIn")
  public static let easeOut = Animation(name: "easeOut")
  public static let easeInOut = Animation(name: "easeInOut")
  public static let spring = Animation(name: "spring")
  public static func linear(duration: Double) -> Animation { Animation(name: "linear(\(duration.shortest))") }
  public static func easeIn(duration: Double) -> Animation { Animation(name: "easeIn(\(duration.shortest))") }
  public static func easeOut(duration: Double) -> Animation { Animation(name: "easeOut(\(duration.shortest))") }
  public static func easeInOut(duration: Double) -> Animation { Animation(name: "easeInOut(\(duration.shortest))") }
  public func delay(_ seconds: Double) -> Animation { Animation(name: "\(name).delay(\(seconds.shortest))") }
  public func repeatForever(autoreverses: Bool = true) -> Animation { Animation(name: "\(name).repeatForever()") }
}

/// The edges of a view, for ``View/padding(_:_:)``.
public enum Edge: String, Sendable, CaseIterable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let top = Set(rawValue: 1)
    public static let leading = Set(rawValue: 2)
    public static let bottom = Set(rawValue: 4)
    public static let trailing = Set(rawValue: 8)
    public static let horizontal: Set = [.leading, .trailing]
    public static let vertical: Set = [.top, .bottom]
    public static let all: Set = [.horizontal, .vertical]

    /// The names of the edges; `nil` for all.
    var name: String? {
      if self == .all { return nil }
      if self == .horizontal { return "horizontal" }
      if self == .vertical { return "vertical" }
      let edges = Edge.allCases.enumerated().filter { contains(Set(rawValue: 1 << $0.offset)) }
      return edges.map(\.element.rawValue).joined(separator: " ")
    }
  }
}

/// The position of views in their box.
public enum Alignment: String, Sendable, CaseIterable, AttributeDecodable {
  case leading, center, trailing
  case top, bottom, firstTextBaseline, lastTextBaseline
  case topLeading, topTrailing, bottomLeading, bottomTrailing
}

// MARK: - Shapes

/// A shape. In markup, `<div class="shape circle">`.
public nonisolated protocol Shape: PrimitiveView {
  /// The name of the shape, a class in the markup.
  var shapeName: String { get }
}

nonisolated extension Shape {
  public func fill(_ colour: Color) -> some View { drawn(.call("fill", colour.name)) }
  public func stroke(_ colour: Color, lineWidth: Double = 1) -> some View {
    drawn("stroke(\(colour.name), lineWidth: \(lineWidth.shortest))")
  }

  /// Writes the shape.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.element("div", ["class": "shape \(view.shapeName)"])
  }
}

/// A circle.
public struct Circle: Shape {
  public init() {}
  public var shapeName: String { "circle" }
}

/// A rectangle.
public struct Rectangle: Shape {
  public init() {}
  public var shapeName: String { "rectangle" }
}

/// A rectangle with round ends.
public struct Capsule: Shape {
  public init() {}
  public var shapeName: String { "capsule" }
}

/// A rectangle with rounded corners. The radius is not drawn.
public struct RoundedRectangle: Shape {
  public init(cornerRadius: Double) {}
  public var shapeName: String { "rounded" }
}

// MARK: - Writing modifiers

extension String {
  /// A call with the arguments that are not `nil`: `padding(horizontal, 8)`.
  fileprivate static func call(_ name: String, _ arguments: String?...) -> String {
    "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
  }

  /// A call with the named arguments that are not `nil`; `nil` without arguments.
  static func call(_ name: String, _ arguments: (name: String, value: String?)...) -> String? {
    let written = arguments.compactMap { name, value in value.map { "\(name): \($0)" } }
    return written.isEmpty ? nil : "\(name)(\(written.joined(separator: ", ")))"
  }
}
