/// The tags that native views write. Elements with these tags can be nested in any way, except
/// inside the tags without content, such as `img`: an HTML parser keeps the nesting that was
/// written. The exception is a link inside a link, which ``NativeLink`` avoids. `button`, `p`, `li`
/// and `option` are not in the list, because a parser closes some of them implicitly. Every
/// ``NativeTag`` has one of these tags.
enum HTMLTag: String, CaseIterable {
  case div, span, section, label, output, details, summary
  case a, img, input, textarea, hr, progress, meter
}

/// The attributes that a native view passes to its ``NativeTag``. The names are fixed, so the
/// markup of a server cannot add an attribute.
struct HTMLAttributes {
  var role: String?
  /// The accessible name, for an element whose content does not give it one.
  var label: String?
  var isFocusable = false
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
  /// The value that a click on the element chooses, see ``ControlInput/value``.
  var choice: String?
  var style = NativeStyle()
}

extension HTMLTag {
  /// Whether HTML supports `disabled` for the element. Otherwise `aria-disabled` is written.
  var hasDisabled: Bool { self == .input || self == .textarea }
}
