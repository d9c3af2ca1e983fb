/// An input that was JSON but could not be applied to the view. The view was not changed.
/// ``LiveViewCoordinator`` makes one if the view is mounted, and ``ChangeLog`` keeps it as an
/// entry.
public struct Rejection: Sendable {
  /// The id of the view.
  public var view: String
  /// The epoch of the view.
  public var epoch: Int
  /// The version of the view, which is unchanged.
  public var version: Int
  /// Milliseconds since 1970.
  public var at: Int64
  /// The size of the input in bytes.
  public var bytes: Int
  /// The reason.
  public var error: UpdateError
  /// The start of the input, at most ``longestInput`` bytes.
  public var input: String

  /// The maximum number of bytes of ``input``.
  public static let longestInput = 1 << 16
}
