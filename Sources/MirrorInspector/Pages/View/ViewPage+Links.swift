internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The links of the page, for all of its parts. A link to the page keeps the parameters that it
/// does not change.
extension ViewPage {
  /// This page with other parameters.
  func link(_ fragment: String? = nil, _ change: (inout Query) -> Void = { _ in }) -> Link {
    var query = query
    change(&query)
    return Link("views", view.id).with(query).at(fragment)
  }

  /// This page at a fixed version. ``newestLink`` names no version, so it follows the newest one.
  func link(toVersion version: Int, _ fragment: String? = nil) -> Link {
    link(fragment) { ($0.version, $0.rejected) = (version, nil) }
  }

  /// A diff and its explanation.
  func link(toDiff version: Int) -> Link {
    link { ($0.version, $0.rejected, $0.tab) = (version, nil, $0.node == nil ? nil : .diff) }
  }

  /// The newest version of the shown epoch. If the epoch is the current one, the page then follows
  /// the view.
  var newestLink: Link {
    link { ($0.version, $0.rejected, $0.after) = (nil, nil, nil) }
  }

  /// The same page in another epoch: its newest version, without parameters that name nodes,
  /// versions or entries of the shown epoch.
  func link(toEpoch epoch: EpochSummary) -> Link {
    link { query in
      query.epoch = epoch.epoch
      query.isEnded = epoch.endedAt != nil
      query.rejected = nil
      (query.version, query.with, query.node, query.under, query.from, query.after) = (nil, nil, nil, nil, nil, nil)
      // The tab *Node* shows a node of the epoch that the link leaves.
      if query.tab == .node { query.tab = nil }
    }
  }

  /// A resource of the view, in the shown epoch.
  func resource(_ segments: String...) -> Link {
    segments.reduce(Link("views", view.id)) { $0.appending($1) }.with("epoch", query.isEnded ? view.epoch : nil)
  }

  /// A resource of the view, in the shown epoch and at the version in the page's address.
  func versioned(_ form: String) -> Link {
    Link("views", view.id, form).with("version", query.version).with("epoch", query.epochOfLinks)
  }

  func link(toNode node: NodeRef) -> Link {
    link("details") { ($0.node, $0.tab) = (node.number, nil) }
  }

  /// The JSON of the log entry of a version.
  func json(of version: Int) -> Link { Link("views", view.id, "log", "\(version)").with("epoch", view.epoch) }

  func ref(_ number: Int?) -> NodeRef? {
    number.map { NodeRef(epoch: document.epoch, number: $0) }
  }

  /// The name of a version, as a link if the log has it.
  func versionLink(_ version: Int, _ fragment: String? = nil) -> HTML {
    version < view.firstVersion
      ? "version \(version)" : "<a href=\"\(link(toVersion: version, fragment))\">version \(version)</a>"
  }

  /// A link to the details of a node. It consists of the number of the node, and of `name` or, by
  /// default, of the description of the node in the shown version.
  func nodeLink(_ node: NodeRef, named name: DisplayName? = nil, to target: Link? = nil) -> HTML {
    nodeLink(node, as: name.map(label) ?? document.content(of: node).map(label), to: target)
  }

  func nodeLink(_ node: NodeRef, as label: HTML?, to target: Link? = nil) -> HTML {
    """
    <a class="node" data-node="\(node.number)" href="\(target ?? link(toNode: node))"><i class="ref">\(node.number)</i>\
    \(label.map { "\u{A0}\($0)" })</a>
    """
  }

  func label(_ name: DisplayName) -> HTML {
    switch name {
    case .element(let tag, let id): Self.label(tag, id: id)
    case .text: "text"
    case .blank: "white space"
    case .comment: "comment"
    case .processingInstruction: "instruction"
    }
  }

  func label(_ content: NodeContent) -> HTML {
    switch content {
    case .root: "document"
    case .element(let element): Self.label(element.tag, id: element.id)
    case .text: "text"
    case .comment: "comment"
    case .processingInstruction: "instruction"
    }
  }

  private static func label(_ tag: String, id: String?) -> HTML {
    let id: HTML? = id.map { "#\($0.unicodeScalars.prefix(40))\($0.unicodeScalars.count > 40 ? "…" : "")" }
    return "<bdi class=\"tag\">&lt;\(tag.unicodeScalars.prefix(60))\(id)&gt;</bdi>"
  }
}

extension Link {
  /// The link with the parameters of the inspector that differ from their defaults.
  func with(_ query: ViewPage.Query) -> Link {
    query.parameters(epoch: query.epochOfLinks).reduce(self) { $0.with($1.name, $1.value) }
  }
}

extension ViewPage.Query {
  /// Version numbers begin again at 0 with each mount, so a link to a version also names the epoch,
  /// and shows the same page after a remount. A link to the newest version of the current epoch
  /// names no epoch, so that it follows the view.
  var epochOfLinks: Int? { version != nil || isEnded ? epoch : nil }

  /// The parameters as hidden fields of a form that sets the parameters in `names`.
  func hiddenFields(except names: String...) -> HTML {
    // Without `from` and `after`, the page that the form opens shows the beginning of its lists.
    let fields = parameters(epoch: names.contains("version") ? epoch : epochOfLinks).filter { name, _ in
      !names.contains(name) && name != "from" && name != "after"
    }
    return "\(fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML })"
  }

  /// The parameters that differ from their defaults.
  fileprivate func parameters(epoch: Int?) -> [(name: String, value: String)] {
    let numbers = { (number: Int?) in number.map(String.init) }
    let all: KeyValuePairs<String, String?> = [
      "version": numbers(version), "epoch": numbers(epoch), "rejected": rejected, "node": numbers(node),
      "tab": tab?.rawValue,
      "step": numbers(step?.rawValue), "show": show == .tree ? nil : show.rawValue, "with": numbers(with), "find": find,
      "filter": filter, "blank": showsBlanks ? "1" : nil, "under": numbers(under), "from": numbers(from),
      "after": after, "by": by == .event ? nil : by.rawValue, "sort": sort == .bytes ? nil : sort.rawValue,
      "form": form == .markup ? nil : form.rawValue,
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}

/// Lines of templates, as links into the editor if there is one.
extension ViewPage {
  /// `basic.ex:146`.
  func sourceLink(_ location: SourceLocation) -> HTML {
    let file = location.file.split(separator: "/").last.map(String.init) ?? location.file
    let title: HTML = "\(location.file):\(location.line)"
    guard let link = editor?.link(to: location) else {
      return "<span class=\"source\" title=\"\(title)\">\(file):\(location.line)</span>"
    }
    return "<a class=\"source editor\" href=\"\(link)\" title=\"Open \(title)\">\(file):\(location.line)</a>"
  }

  /// `<.button>` for a function component, `TodoLive` for the render function of a module.
  func functionName(_ function: String) -> String {
    let parts = function.split(separator: ".").map(String.init)
    guard let name = parts.last else { return function }
    if name == "render" { return parts.dropLast().last ?? function }
    return "<.\(name)>"
  }

  /// How to see the lines of the templates, for an app without annotations.
  var annotationHint: HTML? {
    hasAnnotations
      ? nil
      : """
      <details class="input annotation-hint"><summary>No template lines: how to enable them</summary>
      <p class="note">\(WasteReport.annotationHint)</p></details>

      """
  }
}
