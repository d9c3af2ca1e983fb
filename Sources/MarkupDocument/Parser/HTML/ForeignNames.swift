/// Restores the capital letters of SVG and MathML names, which the tokenizer converts to lower case
/// (13.2.6.1 "adjust SVG attributes" and "adjust MathML attributes", 13.2.6.5 for the elements).
/// Names with a prefix, such as `xlink:href`, stay unchanged: an attribute name is a single string
/// here, and is not split into prefix and local name. ``TreeBuilder`` calls these functions for
/// each SVG or MathML element.
enum ForeignNames {
  static func element(_ name: String, in namespace: Namespace) -> String {
    namespace == .svg ? elements[name] ?? name : name
  }

  /// The attributes with corrected names. If no name needs a correction, the result shares its
  /// storage with the argument.
  static func adjusted(_ attributes: [Element.Attribute], in namespace: Namespace) -> [Element.Attribute] {
    guard attributes.contains(where: { attribute($0.name, in: namespace) != nil }) else { return attributes }
    return attributes.map { Element.Attribute(attribute($0.name, in: namespace) ?? $0.name, $0.value) }
  }

  /// The spelling of an attribute name with capitals; `nil` if the name is written without
  /// capitals.
  private static func attribute(_ name: String, in namespace: Namespace) -> String? {
    switch namespace {
    case .svg: attributes[name]
    case .mathML: name == "definitionurl" ? "definitionURL" : nil
    case .html: nil
    }
  }

  private static let elements = byLowerCase(
    """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
    """)

  private static let attributes = byLowerCase(
    """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
    glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust
    limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength
    patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
    primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures specularConstant
    specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX
    targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
    """)

  private static func byLowerCase(_ names: String) -> [String: String] {
    var table: [String: String] = [:]
    for name in names.split(whereSeparator: \.isWhitespace) { table[name.lowercased()] = String(name) }
    return table
  }
}
