internal import MarkupDocument
internal import MirrorSupport

/// The pages that one browser has open: they share their cookies. ``LiveViewClient/open(_:)`` makes
/// a session for each page, and `attach --steps` one for all pages of a scenario.
package struct ClientSession: Sendable {
  private let loader: PageLoader

  /// - Parameter url: an address of the app. Requests to other hosts do not contain the headers and
  ///   cookies of the options.
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
    /// The page has no form with the named fields. `fields` lists the names of all fields in all
    /// forms of the page.
    case noForm(url: String, fields: [String])
    /// The response is the same page again, as after a wrong password.
    case shownAgain(url: String)
  }

  /// Loads a page, fills in the first form with the method POST that has all named fields, and
  /// submits it, as a browser without JavaScript does.
  ///
  /// - Parameters:
  ///   - url: a complete URL, or a path of the session's host.
  ///   - values: the fields by their names. The other fields keep their values, such as a CSRF
  ///     token.
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
