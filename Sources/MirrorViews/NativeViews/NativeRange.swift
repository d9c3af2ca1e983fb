internal import NodeObservation

/// `Slider`, `Stepper`, `ProgressView` and `Gauge`: a number in a range, with labels.
/// ``ViewRegistry/native`` registers this view for each of these tags.
struct NativeRange: PageView {
  enum Kind: String {
    case slider, stepper, progress, gauge

    /// The accessible name of a control without a label.
    var name: String {
      switch self {
      case .slider: "Slider"
      case .stepper: "Stepper"
      case .progress: "Progress"
      case .gauge: "Gauge"
      }
    }
  }

  let kind: Kind
  @ObservedElement(observeChildren: true) private var element
  @Attribute("value") private var value: Double?
  @Attribute("lowerBound") private var lowerBound: Double?
  @Attribute("min") private var min: Double?
  @Attribute("upperBound") private var upperBound: Double?
  @Attribute("max") private var max: Double?
  @Attribute("total") private var total: Double?
  @Attribute("step") private var step: Double?
  @Attribute("title") private var title: String?
  @Disabled private var isDisabled: Bool

  init(_ kind: Kind) { self.kind = kind }

  var body: some View {
    let slots = Slots(of: element, named: "label", "minimumValueLabel", "maximumValueLabel", "currentValueLabel")
    let label = NativeControlLabel(title: title, slots["label"], slots.content)
    let name = label.isDrawn ? nil : kind.name
    // For assistive technology, the content of a `label` element is the name of the control inside
    // the element.
    NativeTag(.label, "control \(kind.rawValue)", of: element, HTMLAttributes(isDisabled: isDisabled)) {
      label
      NativeTag(.span, "range") {
        if let label = slots["minimumValueLabel"] { NativeTag(.span, "bound") { label } }
        switch kind {
        case .slider: NativeTag(.input, of: nil, attributes(name: name, type: "range"))
        case .stepper:
          NativeTag(.span, "step down") { Text("−") }
          NativeTag(.output, "value", of: nil, HTMLAttributes(label: name)) { Text(value?.shortest ?? "—") }
          NativeTag(.span, "step up") { Text("+") }
        case .progress: NativeTag(.progress, of: nil, attributes(name: name, isProgress: true))
        case .gauge: NativeTag(.meter, of: nil, attributes(name: name))
        }
        if let label = slots["maximumValueLabel"] { NativeTag(.span, "bound") { label } }
      }
      if let label = slots["currentValueLabel"] { NativeTag(.span, "current") { label } }
    }
  }

  /// The default range is 0 to 1, as in SwiftUI. The range of a `progress` element always begins at
  /// 0.
  private func attributes(name: String?, type: String? = nil, isProgress: Bool = false) -> HTMLAttributes {
    HTMLAttributes(
      label: name, type: type, value: value?.shortest ?? (isProgress ? nil : "0"),
      min: isProgress ? nil : lower, max: upper,
      // A slider without a step is continuous. HTML's default step is 1, so a hundredth of the
      // range is used.
      step: type == nil ? nil : step ?? span / 100, isDisabled: type != nil && isDisabled)
  }

  private var lower: Double { lowerBound ?? min ?? 0 }
  private var upper: Double { total ?? upperBound ?? max ?? 1 }
  private var span: Double { upper > lower && (upper - lower).isFinite ? upper - lower : 1 }
}
