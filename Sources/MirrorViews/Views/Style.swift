// How a view looks on a screen: fonts, colours, sizes, animations. A mirror has no screen, so these
// modifiers only add an attribute to the markup.

nonisolated extension View {
  /// Writes into the attribute `data-style` how the view would be drawn, as in `data-style="bold();
  /// padding(8)"`.
  ///
  /// All modifiers of this file use this function. The modifiers exist so that views written for
  /// SwiftUI compile. They change nothing in the markup except this attribute and the elements that
  /// carry it. The attribute is written on the outermost elements of the view. A text without an
  /// element is put into a `span`, and a view with a body of its own into a `div`.
  public func drawn(_ modifier: String) -> some View { StyledView(content: self, modifier: modifier) }

  /// Text in bold. Only noted: see ``drawn(_:)``.
  public func bold(_ isActive: Bool = true) -> some View { drawn(.call("bold", isActive ? nil : "false")) }
  /// Text in italics. Only noted: see ``drawn(_:)``.
  public func italic(_ isActive: Bool = true) -> some View { drawn(.call("italic", isActive ? nil : "false")) }
  /// Underlined text. Only noted: see ``drawn(_:)``.
  public func underline(_ isActive: Bool = true) -> some View { drawn(.call("underline", isActive ? nil : "false")) }
  /// Struck text. Only noted: see ``drawn(_:)``.
  public func strikethrough(_ isActive: Bool = true) -> some View {
    drawn(.call("strikethrough", isActive ? nil : "false"))
  }
  /// The font of texts. Only noted: see ``drawn(_:)``.
  public func font(_ font: Font?) -> some View { drawn(.call("font", font?.name)) }
  /// The weight of the font. Only noted: see ``drawn(_:)``.
  public func fontWeight(_ weight: Font.Weight?) -> some View { drawn(.call("fontWeight", weight?.rawValue)) }
  /// The greatest number of lines of a text. Only noted: see ``drawn(_:)``.
  public func lineLimit(_ number: Int?) -> some View { drawn(.call("lineLimit", number.map(String.init))) }
  /// The colour of the content. Only noted: see ``drawn(_:)``.
  public func foregroundStyle(_ colour: Color) -> some View { drawn(.call("foregroundStyle", colour.name)) }
  /// The colour of the content. Only noted: see ``drawn(_:)``.
  public func foregroundColor(_ colour: Color?) -> some View { drawn(.call("foregroundColor", colour?.name)) }
  /// The colour of controls. Only noted: see ``drawn(_:)``.
  public func tint(_ colour: Color?) -> some View { drawn(.call("tint", colour?.name)) }
  /// The colour behind the view. Only noted: see ``drawn(_:)``.
  public func background(_ colour: Color) -> some View { drawn(.call("background", colour.name)) }
  /// The opacity, from 0 to 1. Only noted: see ``drawn(_:)``.
  public func opacity(_ opacity: Double) -> some View { drawn(.call("opacity", opacity.shortest)) }
  /// The radius of the corners in pixels. Only noted: see ``drawn(_:)``.
  public func cornerRadius(_ radius: Double) -> some View { drawn(.call("cornerRadius", radius.shortest)) }
  /// The space around the view, in pixels. Only noted: see ``drawn(_:)``.
  public func padding(_ length: Double) -> some View { drawn(.call("padding", length.shortest)) }
  /// The space around the view, in pixels. Only noted: see ``drawn(_:)``.
  public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> some View {
    drawn(.call("padding", edges.names, length?.shortest))
  }
  /// A line around the view. Only noted: see ``drawn(_:)``.
  public func border(_ colour: Color, width: Double = 1) -> some View {
    drawn(.call("border", colour.name, width.shortest))
  }
  /// A shadow of the view. Only noted: see ``drawn(_:)``.
  public func shadow(color: Color? = nil, radius: Double, x: Double = 0, y: Double = 0) -> some View {
    drawn(.call("shadow", color?.name, radius.shortest, x.shortest, y.shortest))
  }
  /// The shape that the view fills. Only noted: see ``drawn(_:)``.
  public func clipShape(_ shape: some Shape) -> some View { drawn(.call("clipShape", shape.shapeName)) }
  /// The size of the view in pixels. Only noted: see ``drawn(_:)``.
  public func frame(width: Double? = nil, height: Double? = nil, alignment: Alignment? = nil) -> some View {
    drawn(
      .call("frame", ("width", width?.shortest), ("height", height?.shortest), ("alignment", alignment?.rawValue))
        ?? "frame()")
  }
  /// The size of the view in pixels. Only noted: see ``drawn(_:)``.
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
  /// The distance by which the view is moved from its place, in pixels. Only noted: see
  /// ``drawn(_:)``.
  public func offset(x: Double = 0, y: Double = 0) -> some View {
    drawn("offset(x: \(x.shortest), y: \(y.shortest))")
  }
  /// The angle by which the view is rotated. Only noted: see ``drawn(_:)``.
  public func rotationEffect(_ angle: Angle) -> some View { drawn("rotationEffect(\(angle.text))") }
  /// The scale of the view. Only noted: see ``drawn(_:)``.
  public func scaleEffect(_ scale: Double) -> some View { drawn(.call("scaleEffect", scale.shortest)) }
  /// How changes of a value are animated. Only noted: see ``drawn(_:)``.
  public func animation(_ animation: Animation?, value: some Equatable) -> some View {
    drawn(.call("animation", animation?.name))
  }
}

/// Content with a modifier that is only written into the attribute `data-style`: the result of
/// ``View/drawn(_:)``.
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
public indirect enum Font: Sendable, Hashable {
  case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
  case system(size: Double, weight: Weight? = nil)
  case custom(String, size: Double)
  case weighted(Font, Weight)

  /// The weight of a font.
  public enum Weight: String, Sendable { case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black }

  /// The font in bold.
  public func bold() -> Font { weight(.bold) }
  /// The font with a weight.
  public func weight(_ weight: Weight) -> Font { .weighted(self, weight) }

  fileprivate var name: String {
    switch self {
    case .system(let size, let weight): .call("system", ("size", size.shortest), ("weight", weight?.rawValue)) ?? ""
    case .custom(let name, let size): "custom(\(name), size: \(size.shortest))"
    case .weighted(let font, let weight): "\(font.name).weight(\(weight.rawValue))"
    default: "\(self)"
    }
  }
}

/// A colour, for ``View/foregroundStyle(_:)`` and ``Shape/fill(_:)``. Used as a view, a colour
/// draws a rectangle that is filled with it.
public indirect enum Color: PrimitiveView, Sendable, Hashable {
  case primary, secondary, accentColor, clear, black, white, gray
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown
  case named(String)
  case translucent(Color, opacity: Double)

  /// The colour with a name.
  public init(_ name: String) { self = .named(name) }
  /// A colour from its parts, each from 0 to 1.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self = .named("rgb(\(red.shortest), \(green.shortest), \(blue.shortest), \(opacity.shortest))")
  }
  /// Writes the rectangle.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.styled("fill(\(view.name))") { Rectangle._expand(Rectangle(), into: &$0) }
  }
  /// The colour with an opacity, from 0 to 1.
  public func opacity(_ opacity: Double) -> Color { .translucent(self, opacity: opacity) }

  fileprivate var name: String {
    switch self {
    case .named(let name): name
    case .translucent(let colour, let opacity): "\(colour.name).opacity(\(opacity.shortest))"
    default: "\(self)"
    }
  }
}

/// An angle, for ``View/rotationEffect(_:)``.
public enum Angle: Sendable, Hashable {
  case degrees(Double)
  case radians(Double)

  /// An angle of 0 degrees.
  public static var zero: Angle { .degrees(0) }
  /// An angle in degrees.
  public init(degrees: Double) { self = .degrees(degrees) }
  /// An angle in radians.
  public init(radians: Double) { self = .radians(radians) }

  fileprivate var text: String {
    switch self {
    case .degrees(let degrees): "\(degrees.shortest)°"
    case .radians(let radians): "\(radians.shortest) rad"
    }
  }
}

/// An animation, for ``withAnimation(_:_:)``. Nothing is animated.
public indirect enum Animation: Sendable, Hashable {
  case `default`, linear, easeIn, easeOut, easeInOut, spring, bouncy, smooth, snappy
  case lasting(Animation, seconds: Double)
  case delayed(Animation, seconds: Double)
  case repeating(Animation)

  /// At a constant speed.
  public static func linear(duration: Double) -> Animation { .lasting(.linear, seconds: duration) }
  /// Faster at the end.
  public static func easeIn(duration: Double) -> Animation { .lasting(.easeIn, seconds: duration) }
  /// Slower at the end.
  public static func easeOut(duration: Double) -> Animation { .lasting(.easeOut, seconds: duration) }
  /// Slower at both ends.
  public static func easeInOut(duration: Double) -> Animation { .lasting(.easeInOut, seconds: duration) }
  /// As by a spring.
  public static func spring(duration: Double = 0.5, bounce: Double = 0) -> Animation {
    .lasting(.spring, seconds: duration)
  }
  /// As by a spring.
  public static func spring(response: Double, dampingFraction: Double = 0.825, blendDuration: Double = 0) -> Animation {
    .lasting(.spring, seconds: response)
  }
  /// The animation, repeated without end.
  public func repeatForever(autoreverses: Bool = true) -> Animation { .repeating(self) }
  /// The animation with a delay.
  public func delay(_ seconds: Double) -> Animation { .delayed(self, seconds: seconds) }

  fileprivate var name: String {
    switch self {
    case .lasting(let animation, let seconds): "\(animation.name)(\(seconds.shortest))"
    case .delayed(let animation, let seconds): "\(animation.name).delay(\(seconds.shortest))"
    case .repeating(let animation): "\(animation.name).repeatForever()"
    default: "\(self)"
    }
  }
}

/// An edge of a view.
public enum Edge: UInt8, Sendable, CaseIterable {
  case top, leading, bottom, trailing

  /// Edges, for ``View/padding(_:_:)``.
  public struct Set: OptionSet, Sendable {
    /// A bit for each edge.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Creates the set of one edge.
    public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }

    /// The upper edge.
    public static var top: Set { Set(.top) }
    /// The edge where a line of text begins.
    public static var leading: Set { Set(.leading) }
    /// The lower edge.
    public static var bottom: Set { Set(.bottom) }
    /// The edge where a line of text ends.
    public static var trailing: Set { Set(.trailing) }
    /// Both sides.
    public static var horizontal: Set { [.leading, .trailing] }
    /// The upper and the lower edge.
    public static var vertical: Set { [.top, .bottom] }
    /// All edges.
    public static var all: Set { [.horizontal, .vertical] }

    /// The names of the edges; `nil` for all edges.
    fileprivate var names: String? {
      switch self {
      case .all: nil
      case .horizontal: "horizontal"
      case .vertical: "vertical"
      case []: "none"
      default: Edge.allCases.filter { contains(Set($0)) }.map { "\($0)" }.joined(separator: ", ")
      }
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

/// A shape, written as an element such as `<div class="shape circle">`.
public nonisolated protocol Shape: PrimitiveView {
  /// The name of the shape, which becomes a class in the markup.
  var shapeName: String { get }
}

nonisolated extension Shape {
  /// The colour of the shape. Only noted: see ``View/drawn(_:)``.
  public func fill(_ colour: Color) -> some View { drawn(.call("fill", colour.name)) }
  /// The colour and the width of the outline. Only noted: see ``View/drawn(_:)``.
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
  /// Creates a circle.
  public init() {}
  /// The class in the markup.
  public var shapeName: String { "circle" }
}

/// A rectangle.
public struct Rectangle: Shape {
  /// Creates a rectangle.
  public init() {}
  /// The class in the markup.
  public var shapeName: String { "rectangle" }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Shape {
  let cornerRadius: Double
  /// Creates a rectangle. The radius of its corners is in pixels.
  public init(cornerRadius: Double) { self.cornerRadius = cornerRadius }
  /// The class in the markup.
  public var shapeName: String { "rounded-rectangle" }
}

/// An ellipse.
public struct Ellipse: Shape {
  /// Creates an ellipse.
  public init() {}
  /// The class in the markup.
  public var shapeName: String { "ellipse" }
}

/// A rectangle with round ends.
public struct Capsule: Shape {
  /// Creates a capsule.
  public init() {}
  /// The class in the markup.
  public var shapeName: String { "capsule" }
}

// MARK: - Writing modifiers

extension String {
  /// A call with the arguments that are not `nil`: `padding(horizontal, 8)`.
  fileprivate static func call(_ name: String, _ arguments: String?...) -> String {
    "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
  }

  /// A call with the named arguments that are not `nil`; `nil` if all arguments are `nil`.
  static func call(_ name: String, _ arguments: (name: String, value: String?)...) -> String? {
    let written = arguments.compactMap { name, value in value.map { "\(name): \($0)" } }
    return written.isEmpty ? nil : "\(name)(\(written.joined(separator: ", ")))"
  }
}
