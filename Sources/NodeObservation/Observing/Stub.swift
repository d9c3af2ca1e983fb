public import MarkupDocument
public import OpenCombine
package protocol ObserverDelegate: AnyObject, Sendable {
  func observerChanged(node: NodeRef, changed: NodeRef); func observerFinished(node: NodeRef)
}
public final class Observer: @unchecked Sendable {
  public let node: NodeRef
  package init(of node: NodeRef, in c: any NodeCoordinator, standingIn: Bool, delegate: any ObserverDelegate) {
    self.node = node
  }
  public func cancel() {}
  public func observeChildren() {}
  public var isFinished: Bool { false }
  public var changes: AnyPublisher<NodeRef, Never> { Empty().eraseToAnyPublisher() }
}
public enum Publication {
  public static var isRunning: Bool { false }
  public static func afterwards(_ label: String, once: AnyObject, _ w: @escaping () -> Void) throws(PublicationCycle) {
    w()
  }
}
public struct PublicationCycle: Error {}
