internal import RenderedTree

/// The client's event that an update answers, such as a click. An update without a cause was pushed
/// by the server: because of a message, a timer or PubSub.
///
/// ``ChangeRecord/cause`` has it. Copies of a record share the object, so it never changes.
///
/// A client's frame and the server's reply belong together if they have the same `ref` (Phoenix
/// channel protocol 2.0.0).
public final class UpdateCause: Sendable, Hashable {
  /// The name of the event, such as `inc`; `live_patch`, `progress` or `allow_upload` for a push of
  /// the client itself.
  public let event: String
  /// The kind of the event, such as `click`, `form` or `keyup`; `nil` for a push of the client
  /// itself.
  public let type: String?
  /// The value of the event as JSON, without secrets (see ``UpdateOptions/filteredParameters``);
  /// `nil` if it was longer than 16 KiB.
  public let value: String?
  /// The component that handled the event; `nil` for the view.
  public let target: Int?
  /// The number by which the client finds the reply.
  public let ref: String
  /// The time from the event to the reply in milliseconds, to a tenth; `nil` if it is not known.
  /// Frames that state no times are timed by their arrival. Then the latency is not known if both
  /// arrived in one input, or if the mirror has read the waiting event from a journal.
  public let latency: Double?

  init(_ event: ClientEvent, ref: String, latency: Double?) {
    self.event = event.name
    type = event.type
    value = event.value?.text
    target = event.target
    self.ref = ref
    self.latency = latency
  }

  /// Whether two causes have the same properties.
  public static func == (a: UpdateCause, b: UpdateCause) -> Bool {
    a.event == b.event && a.type == b.type && a.value == b.value && a.target == b.target && a.ref == b.ref
      && a.latency == b.latency
  }

  /// Hashes the event and its reference.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(event)
    hasher.combine(ref)
  }

  /// The event in a few words: `click inc`, `live_patch`, `form validate on component 3`.
  public var description: String {
    let name = type.map { "\($0) \(event)" } ?? event
    return target.map { "\(name) on component \($0)" } ?? name
  }
}
