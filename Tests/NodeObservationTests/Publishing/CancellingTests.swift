import MarkupDocument
import NodeObservation
import TestSupport
import Testing

/// The guarantees of `cancel()` across threads. No test depends on time: threads wait for each
/// other at gates.
@Suite struct CancellingTests {
  let publishers = NodePublishers()
  let a = NodeRef(epoch: 1, number: 2)
  let b = NodeRef(epoch: 1, number: 3)

  @Test func `cancelling waits for a call on another thread`() {
    let (entered, leave, done) = (Gate(), Gate(), Gate())
    let subscription = publishers.subscribe(to: a) { _ in
      entered.open()
      leave.wait()
      done.open()
    }
    let sender = OtherThread { [publishers, a] in publishers.send(to: a) }
    entered.wait()
    let cancelling = Gate()
    let canceller = OtherThread {
      cancelling.open()
      subscription.cancel()
      #expect(done.isPassed)
    }
    cancelling.wait()
    // The subscriber is cancelled although its call has not returned.
    while publishers.count(of: a).total > 0 { Gate.pause() }
    #expect(!done.isPassed)
    leave.open()
    sender.join()
    canceller.join()
  }

  @Test func `a second cancellation also waits`() {
    let (entered, leave, done) = (Gate(), Gate(), Gate())
    let own = Box<NodeSubscription>()
    own.value = publishers.subscribe(to: a) { _ in
      own.value?.cancel()
      entered.open()
      leave.wait()
      done.open()
    }
    let sender = OtherThread { [publishers, a] in publishers.send(to: a) }
    entered.wait()
    let canceller = OtherThread {
      own.value?.cancel()
      #expect(done.isPassed)
    }
    leave.open()
    canceller.join()
    sender.join()
  }

  @Test func `two subscribers that cancel each other on two threads do not deadlock`() {
    let (first, second) = (Box<NodeSubscription>(), Box<NodeSubscription>())
    let (inFirst, inSecond) = (Gate(), Gate())
    first.value = publishers.subscribe(to: a) { _ in
      inFirst.open()
      inSecond.wait()
      second.value?.cancel()
    }
    second.value = publishers.subscribe(to: b) { _ in
      inSecond.open()
      inFirst.wait()
      first.value?.cancel()
    }
    let senders = [a, b].map { node in OtherThread { [publishers] in publishers.send(to: node) } }
    for sender in senders { sender.join() }
    #expect(publishers.counts() == [:])
  }

  @Test func `a cancelled observer and its children are not notified any more`() {
    let coordinator = DocumentCoordinator(markup: #"<ul id="l"><li id="a">1</li></ul>"#, dialect: .html)
    let (entered, leave, done) = (Gate(), Gate(), Gate())
    let observer = Observer(of: coordinator.node(id: "l"), in: coordinator, observeChildren: true) { _ in
      entered.open()
      leave.wait()
      done.open()
    }
    let sender = OtherThread { coordinator.update(markup: #"<ul id="l"><li id="a">2</li></ul>"#) }
    entered.wait()
    let canceller = OtherThread {
      observer.cancel()
      #expect(done.isPassed)
    }
    while !coordinator.publishers.counts().isEmpty { Gate.pause() }
    leave.open()
    canceller.join()
    sender.join()
  }

  @Test func `signals on several threads are delivered concurrently`() {
    let (inFirst, inSecond) = (Gate(), Gate())
    let subscriptions = [
      publishers.subscribe(to: a) { _ in
        inFirst.open()
        inSecond.wait()
      },
      publishers.subscribe(to: b) { _ in
        inSecond.open()
        inFirst.wait()
      },
    ]
    let senders = [a, b].map { node in OtherThread { [publishers] in publishers.send(to: node) } }
    for sender in senders { sender.join() }
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `cancelling waits for a Combine subscriber`() {
    let relay = Relay<Int>()
    let (entered, leave, done) = (Gate(), Gate(), Gate())
    let taker = Taker<Int>(demand: 0) { _ in
      entered.open()
      leave.wait()
      done.open()
    }
    relay.publisher.receive(subscriber: taker)
    relay.send(1)
    // The thread that requests the value delivers it, not the thread that sent it.
    let asker = OtherThread { taker.request(1) }
    entered.wait()
    let canceller = OtherThread {
      taker.cancel()
      #expect(done.isPassed)
    }
    leave.open()
    canceller.join()
    asker.join()
  }
}
