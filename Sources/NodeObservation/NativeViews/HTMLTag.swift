/// The tags that native views write. All of them may stand in one another in any way, as far as an HTML parser is
/// concerned: what is written is read as it was meant, whatever a LiveView nests. That is why there is no `button`, `p`,
/// `li` or `option` among them.
enum HTMLTag: String, CaseIterable {
  case div, span, section, label, output, details, summary
  case a, img, input, textarea, hr, progress, meter
}

/// What a native view says about an HTML element. The names are these: no attribute of the wire brings its own.
struct HTMLAttributes {
  var role: String?
  var title: String?
  var href: AllowedURL?
  var src: AllowedImageURL?
  var alt: String?
  var type: String?
  var name: String?
  var value: String?
  var placeholder: String?
  var min: Double?
  var max: Double?
  var step: Double?
  var isChecked = false
  var isDisabled = false
  var isReadOnly = false
  var isOpen = false
  var isSelected: Bool?
  var style = NativeStyle()
}

extension HTMLTag {
  /// Whether HTML knows the element as disabled; where it does not, it is said to assistive technology alone.
  var hasDisabled: Bool { self == .input || self == .textarea }
}
