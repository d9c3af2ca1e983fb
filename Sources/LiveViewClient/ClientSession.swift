internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// The pages that one browser has open: they share their cookies.
package struct ClientSession: Sendable {
  private let loader: PageLoader

  /// - Parameter url: an address of the host that gets the headers and cookies of the options.
  /// - Throws: ``ClientError`` if the address or an option is not valid.
  package init(_ options: ClientOptions, for url: String) throws(ClientError) {
    guard let home = WebAddress(url) else { throw .invalidURL(url) }
    if let problem = options.problem { throw problem }
    loader = PageLoader(options, for: home)
  }

  /// Loads a page and begins to join its LiveViews.
  ///
  /// - Parameter url: a complete URL, or a path of the session's host.
  package func open(_ url: String) async throws(ClientError) -> LivePage {
    let page = try await loader.load(address(of: url).description)
    let live = LivePage(loader)
    await live.begin(page)
    return live
  }

  /// Sets a cookie for the session's host.
  package func set(cookie name: String, to value: String) {
    loader.jar.withLock { $0.set(Cookie(name, value, for: loader.home), at: 0) }
  }

  /// Why a form was not submitted.
  package enum FormFailure: Error {
    case client(ClientError)
    /// The page has no form with these fields; the names of the fields that it has.
    case noForm(url: String, fields: [String])
    /// The response is the same page again, as after a wrong password.
    case shownAgain(url: String)
  }

  /// Loads a page, fills in the first form with the method POST that has all named fields, and submits it, as a browser without JavaScript
  /// does.
  ///
  /// - Parameters:
  ///   - url: a complete URL, or a path of the session's host.
  ///   - values: the fields by their names. The other fields keep their values, such as a CSRF token.
  package func submitForm(
    at url: String, _ values: [(name: String, value: String)]
  ) async throws(FormFailure) {
    let (place, body): (WebAddress, [UInt8])
    do throws(ClientError) { (place, body) = try await loader.request(address(of: url)) } catch { throw .client(error) }
    let forms = PlainForm.all(in: MarkupParser.parse(body, dialect: .html).tree)
    guard let form = forms.first(where: { form in values.allSatisfy { form.names.contains($0.name) } }) else {
      throw .noForm(url: place.description, fields: Set(forms.flatMap(\.names)).sorted())
    }
    guard let target = place.resolving(form.action ?? place.description)?.withoutFragment else {
      throw .client(.invalidURL(form.action ?? ""))
    }
    let (end, shown): (WebAddress, [UInt8])
    do throws(ClientError) {
      (end, shown) = try await loader.request(target, posting: form.encoded(with: values))
    } catch { throw .client(error) }
    let again = PlainForm.all(in: MarkupParser.parse(shown, dialect: .html).tree)
    if end.origin == place.origin, end.path == place.path, again.contains(where: { $0.names == form.names }) {
      throw .shownAgain(url: end.description)
    }
  }

  private func address(of url: String) throws(ClientError) -> WebAddress {
    guard let address = loader.home.resolving(url) else { throw .invalidURL(url) }
    return address
  }
}

/// A form of a page whose scripts do not run, which is sent by a POST.
struct PlainForm {
  let action: String?
  /// The names of all fields.
  private(set) var names: Set<String> = []
  /// What the form sends without input, in document order.
  private(set) var entries: [(name: String, value: String)] = []
  private var hasSubmitter = false

  /// - Complexity: O(*nodes*).
  static func all(in tree: NodeTree) -> [PlainForm] {
    tree.preorder().compactMap { node in
      guard let element = tree[node].element, element.tag == "form", element["method"]?.lowercased() == "post" else {
        return nil
      }
      var form = PlainForm(action: element["action"])
      for field in tree.preorder(from: node) {
        if let element = tree[field].element { form.add(element, at: field, in: tree) }
      }
      return form
    }
  }

  private init(action: String?) { self.action = action }

  private mutating func add(_ element: Element, at node: NodeTree.Index, in tree: NodeTree) {
    guard ["input", "textarea", "select", "button"].contains(element.tag), element["disabled"] == nil else { return }
    let type = element["type"]?.lowercased() ?? (element.tag == "button" ? "submit" : "text")
    let name = element["name"] ?? ""
    switch type {
    case "submit":
      // A browser's Enter key presses the first button.
      if !hasSubmitter, !name.isEmpty { entries.append((name, element["value"] ?? "")) }
      hasSubmitter = true
    case "button", "image", "reset", "file": return
    case _ where name.isEmpty: return
    case "checkbox", "radio":
      names.insert(name)
      if element["checked"] != nil { entries.append((name, element["value"] ?? "on")) }
    default:
      names.insert(name)
      if element.tag == "select" {
        entries += Self.chosen(of: node, in: tree).map { (name, $0) }
      } else {
        entries.append((name, element.tag == "textarea" ? Self.text(of: node, in: tree) : element["value"] ?? ""))
      }
    }
  }

  /// The values of the options that are selected, or that of the first one.
  private static func chosen(of select: NodeTree.Index, in tree: NodeTree) -> [String] {
    var (first, selected): (String?, [String]) = (nil, [])
    for node in tree.preorder(from: select) {
      guard let option = tree[node].element, option.tag == "option" else { continue }
      let value = option["value"] ?? text(of: node, in: tree)
      first = first ?? value
      if option["selected"] != nil { selected.append(value) }
    }
    return selected.isEmpty ? [first].compactMap(\.self) : selected
  }

  private static func text(of node: NodeTree.Index, in tree: NodeTree) -> String {
    tree.preorder(from: node).map { if case .text(let text) = tree[$0] { text } else { "" } }.joined()
  }

  /// The form as `application/x-www-form-urlencoded`.
  func encoded(with values: [(name: String, value: String)]) -> String {
    let kept = entries.filter { entry in !values.contains { $0.name == entry.name } }
    return (kept + values).map { "\(FormEncoding.encoded($0.name))=\(FormEncoding.encoded($0.value))" }
      .joined(separator: "&")
  }
}
