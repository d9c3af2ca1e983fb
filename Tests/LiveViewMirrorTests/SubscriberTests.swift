import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import NodeObservation
import TestSupport
import Testing

/// What subscribers may do and read while they are called.
@Suite struct SubscriberTests {
  /// Nodes: `div` 2, `p` 3, its text 4, `b` 5.
  let view: LiveViewCoordinator
  let heard = Heard()

  init() throws {
    view = try .mounted(#"{"0":"1","1":{"s":["<b></b>"]},"s":["<div><p>","</p>","</div>"]}"#)
  }

  func node(_ number: Int) -> NodeRef { NodeRef(epoch: 1, number: number) }

  @Test
  func `a subscriber reads the new version`() throws {
    let subscription = view.publishers.subscribe(to: node(3)) { [view, heard] _ in
      heard.note("\(view.markup) \(view.view?.version ?? -1) \(view.log.record(of: 1)?.notifiedNumbers ?? [])")
    }
    try view.update(#"{"0":"2"}"#)
    #expect(heard.all == ["<div><p>2</p><b></b></div> 1 [3]"])
    subscription.cancel()
  }

  @Test
  func `a subscriber of a removed node reads the version without it`() throws {
    let subscription = view.publishers.subscribe(to: node(5)) { [view, heard] signal in
      heard.note("\(signal == .finished(NodeRef(epoch: 1, number: 5))) \(view.markup)")
    }
    let record = try view.update(#"{"1":""}"#)
    #expect(heard.all == ["true <div><p>1</p></div>"])
    #expect(record.finished == 1)
    #expect(view.publishers.counts().keys.sorted() == [node(1), node(2), node(3)])
    subscription.cancel()
  }

  @Test(
    arguments: ["changed", "finished"])
  func `an update inside a subscriber is refused without a deadlock`(from signal: String) throws {
    let subscription = view.publishers.subscribe(to: node(signal == "changed" ? 3 : 5)) { [view, heard] _ in
      do throws(UpdateError) { try view.update(#"{"0":"9"}"#) } catch { heard.note("\(error.kind)") }
      do throws(UpdateError) { try view.mount(Array(#"{"s":["x"]}"#.utf8), dialect: .html) } catch {
        heard.note("\(error.kind)")
      }
    }
    try view.update(#"{"0":"2","1":""}"#)
    #expect(heard.all == ["calledBySubscriber", "calledBySubscriber"])
    #expect(view.markup == "<div><p>2</p></div>")
    #expect(view.log.rejectionCount == 0)
    #expect(try view.update(#"{"0":"3"}"#).version == 2)
    subscription.cancel()
  }

  @Test
  func `a remount finishes every publisher after the new page is readable, with new references`() throws {
    let subscriptions = (1...5).map { number in
      view.publishers.subscribe(to: node(number)) { [view, heard] signal in
        heard.note("\(signal == .finished(NodeRef(epoch: 1, number: number))) \(view.markup)")
        #expect(throws: UpdateError.self) { try view.update("{}") }
      }
    }
    // Retained explicitly: an optimised build releases a value after its last use.
    let record = try withExtendedLifetime(subscriptions) {
      try view.mount(Array(#"{"s":["<i></i>"]}"#.utf8), dialect: .html)
    }
    #expect(heard.all == Array(repeating: "true <i></i>", count: 5))
    #expect(record.epoch == 2)
    #expect(record.version == 0)
    let document = try #require(view.document)
    #expect(document.root == NodeRef(epoch: 2, number: 1))
    #expect(document.root != node(1))
    #expect(!document.contains(node(1)))
    #expect(
      view.publishers.counts() == [
        document.root: .init(observers: 1), NodeRef(epoch: 2, number: 2): .init(observers: 1),
      ])
  }

  @Test
  func `a record counts the subscribers of the notified nodes, and those of all nodes`() throws {
    let clients = [view.publishers.subscribe(to: node(3)) { _ in }, view.publishers.subscribe(to: node(2)) { _ in }]
    let record = try view.update(#"{"0":"2"}"#)
    #expect(record.notifiedNumbers == [3])
    #expect(record.observerCount == 2)
    #expect(record.allObserverCount == 6)
    clients[0].cancel()
    #expect(try view.update(#"{"0":"3"}"#).observerCount == 1)
    #expect(try view.update(#"{"0":"3"}"#).observerCount == 0)
    withExtendedLifetime(clients) {}
  }

  @Test
  func `updates on many threads are serialised, and readers see whole versions`() async throws {
    let view = view
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { _ = try? view.update(#"{"0":"\#(number)","1":"\#(number)"}"#) }
        group.addTask {
          guard let state = view.view else { return }
          #expect(state.document.checkInvariants() == [])
          #expect(state.log.diffCount == state.version)
        }
      }
    }
    #expect(view.view?.version == 50)
  }
}
