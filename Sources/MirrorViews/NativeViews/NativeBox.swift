internal import NodeObservation

/// Describes how an element without behaviour is drawn: its HTML tag and class, the layout
/// attributes that it reads, and the templates that are drawn before and after its content. ``all``
/// lists the boxes. ``ViewRegistry/native`` registers a ``NativeBoxView`` for each of their tags.
struct NativeBox: Sendable {
  /// An attribute that a box can read from its element.
  enum Reading { case alignment, spacing, title, columns, rows, axes, minLength, fill }

  let tags: [String]
  let html: HTMLTag
  let name: String
  let role: String?
  let reads: [Reading]
  /// The templates that are drawn before the content, by name: a child belongs to the template
  /// that its attribute `template` names.
  let before: [String]
  /// The templates that are drawn after the content.
  let after: [String]

  init(
    _ tags: String..., html: HTMLTag = .div, name: String, role: String? = nil, reads: [Reading] = [],
    before: [String] = [], after: [String] = []
  ) {
    self.tags = tags
    self.html = html
    self.name = name
    self.role = role
    self.reads = reads
    self.before = before
    self.after = after
  }

  static let all: [NativeBox] = [
    // Stacks
    NativeBox("VStack", "LazyVStack", name: "vstack", reads: [.alignment, .spacing]),
    NativeBox("HStack", "LazyHStack", name: "hstack", reads: [.alignment, .spacing]),
    NativeBox("ZStack", name: "zstack", reads: [.alignment]),
    NativeBox("Group", "ToolbarItemGroup", name: "group"),
    NativeBox("Grid", name: "grid", reads: [.alignment]),
    NativeBox("LazyVGrid", name: "lazy-grid", reads: [.columns, .spacing, .alignment]),
    NativeBox("LazyHGrid", name: "lazy-grid flows-across", reads: [.rows, .spacing, .alignment]),
    NativeBox("Spacer", name: "spacer", reads: [.minLength]),
    NativeBox("Divider", html: .hr, name: "divider"),

    // Containers
    NativeBox("List", "Table", name: "list", role: "group"),
    NativeBox("Section", html: .section, name: "section", reads: [.title], before: ["header"], after: ["footer"]),
    NativeBox("Form", "LiveForm", name: "form", role: "form"),
    NativeBox("ScrollView", name: "scroll", reads: [.axes]),
    NativeBox("NavigationStack", "NavigationSplitView", name: "navigation"),
    NativeBox("ToolbarItem", name: "toolbar-item"),
    NativeBox("Tab", name: "tab-content"),
    NativeBox("GroupBox", html: .section, name: "group-box", reads: [.title], before: ["label"]),
    NativeBox("ControlGroup", name: "control-group", role: "group", before: ["label"]),
    NativeBox("LabeledContent", name: "labeled", before: ["label"]),
    NativeBox(
      "ContentUnavailableView", name: "unavailable", reads: [.title], before: ["label", "description"],
      after: ["actions"]),

    // Shapes
    NativeBox("Rectangle", "Color", name: "shape", reads: [.fill]),
    NativeBox("RoundedRectangle", "ContainerRelativeShape", name: "shape rounded", reads: [.fill]),
    NativeBox("Circle", name: "shape circle", reads: [.fill]),
    NativeBox("Ellipse", "Capsule", name: "shape capsule", reads: [.fill]),
  ]
}

/// Draws an element as its ``NativeBox`` describes.
struct NativeBoxView: PageView {
  private let box: NativeBox
  @ObservedElement private var element
  @Attribute("alignment") private var alignment: Alignment?
  @Attribute("spacing") private var spacing: Length?
  @Attribute("minLength") private var minLength: Length?
  @Attribute("title") private var title: String?
  @Attribute("columns") private var columns: GridTracks?
  @Attribute("rows") private var rows: GridTracks?
  @Attribute("axes") private var axes = Axes.vertical
  @Attribute("fill") private var fill: NativeColour?
  @Attribute("disabled") private var isDisabled: Bool

  private enum Axes: String, CaseIterable, AttributeDecodable { case vertical, horizontal, all }

  init(_ box: NativeBox) {
    self.box = box
    _element = ObservedElement(observeChildren: !(box.before + box.after).isEmpty)
  }

  var body: some View {
    if box.html == .hr {
      NativeTag(.hr, box.name, of: element)
    } else {
      let slots = Slots(of: element, names: box.before + box.after)
      NativeTag(
        box.html, classes, of: element,
        HTMLAttributes(role: box.role, isFocusable: reads(.axes) && axes != .vertical, style: style)
      ) {
        if reads(.title), let title { NativeTag(.div, "slot title") { Text(title) } }
        ForEach(box.before, id: \.self) { NativeSlot($0, in: slots) }
        slots.content
        ForEach(box.after, id: \.self) { NativeSlot($0, in: slots) }
      }
      .disabled(isDisabled)
    }
  }

  private func reads(_ reading: NativeBox.Reading) -> Bool { box.reads.contains(reading) }

  private var classes: String {
    var classes = [box.name]
    if reads(.alignment), let alignment { classes.append("align-\(alignment.rawValue)") }
    if reads(.axes), axes != .vertical { classes.append("axes-\(axes.rawValue)") }
    if reads(.fill), let fill { classes.append("fill-\(fill.rawValue)") }
    return classes.joined(separator: " ")
  }

  private var style: NativeStyle {
    NativeStyle(
      gap: reads(.spacing) ? spacing : nil, minimum: reads(.minLength) ? minLength : nil,
      columns: reads(.columns) ? columns?.count : nil, rows: reads(.rows) ? rows?.count : nil)
  }
}

/// The children with a given template, in a `div` with the template's name as a class. If there are
/// no such children, nothing is written.
struct NativeSlot: PrimitiveView {
  private let name: String
  private let slot: Slot?

  init(_ name: String, in slots: Slots) {
    self.name = name
    slot = slots[name]
  }

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    guard let slot = view.slot else { return }
    expansion.element("div", ["class": "slot \(view.name)"]) { Slot._expand(slot, into: &$0) }
  }
}
