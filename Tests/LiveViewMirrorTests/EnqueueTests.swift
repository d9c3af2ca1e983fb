import Dispatch
import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation
import TestSupport
import Testing

/// Updates from inside subscribers: deferred, refused, or applied at once if no thread would have
/// to wait.
@Suite struct EnqueueTests {
  /// div 2, p 3 "4", b 5.
  static let page = #"{"0":"1","1":{"s":["<b></b>"]},"s":["<div><p>","</p>","</div>"]}"#
  let view: LiveViewCoordinator
  let heard = Heard()
  let p = NodeRef(epoch: 1, number: 3)

  init() throws { view = try .mounted(Self.page) }

  @Test
  func `a diff that a subscriber enqueues is applied after all subscribers are notified`() throws {
    let subscriptions = ["first", "second"].map { name in
      view.publishers.subscribe(to: p) { [view, heard] _ in
        heard.note("\(name) \(view.markup)")
        guard name == "first", view.view?.version == 1 else { return }
        view.enqueue(Array(#"{"0":"3"}"#.utf8)) { result in
          heard.note("version \((try? result.get())?.version ?? -1)")
        }
      }
    }
    try view.update(#"{"0":"2"}"#)
    #expect(
      heard.all == [
        "first <div><p>2</p><b></b></div>", "second <div><p>2</p><b></b></div>",
        "first <div><p>3</p><b></b></div>", "second <div><p>3</p><b></b></div>", "version 2",
      ])
    withExtendedLifetime(subscriptions) {}
  }

  @Test
  func `a diff enqueued outside of a publication is applied at once or its error is reported`() {
    view.enqueue(Array(#"{"0":"3"}"#.utf8))
    #expect(view.markup == "<div><p>3</p><b></b></div>")
    view.enqueue(Array(#"{"7":"3"}"#.utf8)) { [heard] result in
      if case .failure(let error) = result { heard.note("\(error.kind)") }
    }
    #expect(heard.all == ["unfitting"])
    #expect(view.log.rejectionCount == 1)
  }

  @Test
  func `diffs that cause each other without end are stopped, and the error names the cycle`() throws {
    let number = Guarded(2)
    let subscription = view.publishers.subscribe(to: p) { [view, heard] _ in
      let next = number.withLock { number in
        number += 1
        return number
      }
      view.enqueue(Array(#"{"0":"\#(next)"}"#.utf8)) { result in
        if case .failure(let error) = result { heard.note("\(error.kind) \(error)") }
      }
    }
    try view.update(#"{"0":"2"}"#)
    #expect(view.view?.version == 1 + Publication.maximumDepth)
    #expect(
      heard.all == [
        "endless the publication does not end: update of \(view.id) → update of \(view.id) (100 times deferred)"
      ])
    subscription.cancel()
  }

  @Test
  func `the error for an update inside a subscriber names the function to use`() throws {
    let subscription = view.publishers.subscribe(to: p) { [view, heard] _ in
      do throws(UpdateError) { try view.update(#"{"0":"9"}"#) } catch { heard.note("\(error)") }
    }
    try view.update(#"{"0":"2"}"#)
    #expect(heard.all.count == 1)
    #expect(heard.all[0].contains("enqueue"))
    subscription.cancel()
  }

  @Test
  func `a subscriber may update another view that no thread is updating`() throws {
    let other = try LiveViewCoordinator.mounted(Self.page)
    let subscription = view.publishers.subscribe(to: p) { _ in _ = try? other.update(#"{"0":"7"}"#) }
    // That view's subscriber cannot update the first view again.
    let back = other.publishers.subscribe(to: p) { [view, heard] _ in
      do throws(UpdateError) { try view.update(#"{"0":"9"}"#) } catch { heard.note("\(error.kind)") }
    }
    try view.update(#"{"0":"2"}"#)
    #expect(other.markup == "<div><p>7</p><b></b></div>")
    #expect(heard.all == ["calledBySubscriber"])
    withExtendedLifetime((subscription, back)) {}
  }

  @Test
  func `two views whose subscribers update each other on two threads do not deadlock`() throws {
    let other = try LiveViewCoordinator.mounted(Self.page)
    let views = [view, other]
    let entered = Guarded(0)
    let refused = Guarded(0)
    let subscriptions = views.indices.map { own in
      views[own].publishers.subscribe(to: p) { _ in
        guard views[own].view?.version == 1 else { return }
        entered.withLock { $0 += 1 }
        while entered.current < 2 { Thread.sleep(forTimeInterval: 0.0001) }
        let body = #"{"0":"from \#(own)"}"#
        do throws(UpdateError) { try views[1 - own].update(body) } catch {
          refused.withLock { $0 += 1 }
          #expect(error.description.contains("enqueue"))
          views[1 - own].enqueue(Array(body.utf8))
        }
      }
    }
    let done = DispatchGroup()
    for view in views {
      done.enter()
      // Separate threads, because they wait for each other.
      Thread.detachNewThread {
        _ = try? view.update(#"{"0":"2"}"#)
        done.leave()
      }
    }
    done.wait()
    #expect(views.map(\.markup) == ["<div><p>from 1</p><b></b></div>", "<div><p>from 0</p><b></b></div>"])
    #expect(refused.current >= 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test
  func `the document's observer is notified of root changes and remounts`() throws {
    let observer = Observer(of: p, in: view)
    let top = try LiveViewCoordinator.mounted(#"{"0":"1","s":["<i></i>",""]}"#)
    let events = Observer(of: NodeRef(epoch: 1, number: 1), in: top) { [heard] node in heard.note("root \(node)") }
    try top.update(#"{"0":"2"}"#)
    #expect(heard.all == ["root 1"])
    #expect(observer.element?.tag == "p")
    try view.mount(Array(Self.page.utf8), dialect: .html)
    #expect(observer.isFinished)
    #expect(view.reading { $0.epoch } == 2)
    #expect(LiveViewCoordinator(id: "empty", options: UpdateOptions().withAnalyses).reading { $0.epoch } == nil)
    withExtendedLifetime(events) {}
  }
}
