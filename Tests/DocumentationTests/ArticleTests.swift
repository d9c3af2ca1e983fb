import Foundation
import RecordingFixtures
import Testing

/// The code of the articles is compiled and run, and its output must be the output in the articles.
@MainActor @Suite(.serialized) struct ArticleTests {
  static let examples: [String: any (Example & Sendable).Type] = [
    "library": LibraryExample.self,
    "RenderedTree": RenderedTreeExample.self,
    "MarkupDocument": MarkupDocumentExample.self,
    "LiveViewMirror": LiveViewMirrorExample.self,
    "IsolationReport": IsolationReportExample.self,
    "Publishing": PublishingExample.self,
    "Observers": ObserversExample.self,
    "ObservedElements": ObservedElementsExample.self,
    "ViewsAndBodies": ViewsAndBodiesExample.self,
    "Drawing": DrawingExample.self,
    "StateAndBindings": StateAndBindingsExample.self,
    "NativeViews": NativeViewsExample.self,
    "Objects": ObjectsExample.self,
    "SelectiveUpdates": SelectiveUpdatesExample.self,
    "SharedState": SharedStateExample.self,
    "TheEnvironment": TheEnvironmentExample.self,
    "UpdateStreams": UpdateStreamsExample.self,
    "ThreadsAndOrder": ThreadsAndOrderExample.self,
  ]

  @Test(arguments: try Article.all()) func `an article shows the code of its example, byte for byte`(
    article: Article
  ) throws {
    #expect(article.examples == (try Region.all()).filter { $0.name == article.name }.map(\.text))
  }

  @Test(arguments: try Article.all().filter { !$0.examples.isEmpty }) func `an example prints what its article says`(
    article: Article
  ) throws {
    let example = try #require(Self.examples[article.name], "list the example in ArticleTests.examples")
    let printed = try Printed.during(example.run)
    #expect(printed == article.output, "it printed:\n\(printed)")
  }

  @Test func `every example belongs to an article`() throws {
    let articles = Set(try Article.all().filter { !$0.examples.isEmpty }.map(\.name))
    #expect(Set(Self.examples.keys) == articles)
    #expect(Set(try Region.all().map(\.name)) == articles)
  }

  /// SwiftPM reads the library page's lines for `Package.swift` in a separate package.
  @Test func `the library page's lines for Package.swift depend on a product of this package`() throws {
    let lines = try Article.manifest(0)
    // The folder of the checkout may have another name than the package.
    #expect(lines[0].contains("\"../liveview-mirror\""))
    let elsewhere = lines[0].replacing("\"../liveview-mirror\"", with: "\"../elsewhere\"")
    let package = try UserPackage(dependencies: elsewhere, targetDependencies: lines[1])
    let product = try #require(try package.usedProducts().first)
    let own = try String(contentsOf: Fixtures.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(own.contains("name: \"\(product.package)\""))
    #expect(own.replacing(/\s+/, with: "").contains(".library(name:\"\(product.name)\""))
  }

  @Test func `the library page's lines for OpenCombine name the fork that this package uses`() throws {
    let lines = try Article.manifest(1)
    let package = try UserPackage(dependencies: lines[0], targetDependencies: lines[1])
    #expect(try package.usedProducts() == [.init(name: "OpenCombine", package: "OpenCombine")])
    let own = try String(contentsOf: Fixtures.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(own.contains("    \(lines[0])\n"))
  }

  @Test func `the library page links to every article`() throws {
    let linked = try Article.library().text.matches(of: /\(\.\.\/Sources\/(\w+)\/(\w+)\.docc\/(\w+)\.md\)/)
    let links = Set(linked.map { "\($0.output.1) \($0.output.2) \($0.output.3)" })
    let catalogues = try Article.Catalogue.all()
    let articles = catalogues.flatMap { catalogue in
      catalogue.articles.filter { !$0.examples.isEmpty }.map { "\(catalogue.module) \(catalogue.module) \($0.name)" }
    }
    #expect(links == Set(articles))
  }

  @Test(arguments: try Article.Catalogue.all()) func `the landing page of a catalogue names every article`(
    catalogue: Article.Catalogue
  ) throws {
    let landing = try #require(catalogue.landingPage)
    #expect(Set(landing.links) == Set(catalogue.articles.map(\.name)).subtracting([catalogue.module]))
  }

  @Test(arguments: try Article.Catalogue.all()) func `articles link to existing articles`(
    catalogue: Article.Catalogue
  ) {
    let names = Set(catalogue.articles.map(\.name))
    for article in catalogue.articles { #expect(Set(article.links).isSubset(of: names), "\(article)") }
  }

  @Test(arguments: try Article.Catalogue.all().flatMap(\.articles)) func `an article has a title and a summary`(
    article: Article
  ) {
    let lines = article.text.components(separatedBy: "\n")
    #expect(lines[0].hasPrefix("# "))
    #expect(lines[1].isEmpty && !lines[2].isEmpty && lines[3].isEmpty, "line 3 is the summary, in one line")
  }
}
