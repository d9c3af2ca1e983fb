internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

// Ids, numbers and errors, which other schemas, the parameters and the operations use.

extension Schema {
  /// `.` and `..` are excluded, because clients resolve them as parts of a path.
  static let viewID = string(matching: "^(?!\\.{1,2}$)[A-Za-z0-9._:~-]{1,200}$").described("The id of a view.")
    .examples("\"main\"", "\"lv:phx-F1xQw\"").named("ViewID")

  static let pageID = string(matching: "^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$").described("The id of a page.").named(
    "PageID")

  static let version = integer(from: 0).described(
    "The number of diffs that were applied since the mount of the epoch."
  ).named("Version")

  static let epochNumber = integer(from: 1)
  static let epoch = integer(from: 1).described("The number of mounts of the view.")

  static let node = integer(from: 1).described("The number of a node. Node 1 is the document.").named("NodeNumber")

  /// The texts that ``ClientVersion/init(rawValue:)`` reads.
  static let clientVersion = string(matching: "^[0-9]{1,4}\\.[0-9]{1,4}(\\.[0-9]{1,4})?([-+][0-9A-Za-z.-]+)?$")
    .described(
      "A version of LiveView's client, such as `1.2.10`, or `1.1` for its last patch release. An unknown version follows the rules of the nearest known one."
    )

  static let position = string(matching: #"^(0|[1-9][0-9]{0,17}(\.(0|[1-9][0-9]{0,17})){0,2})$"#).described(
    """
    A position in the log and in the events of a view: `VERSION` in the epoch that is read, or the id of an event, which is \
    `EPOCH.VERSION`, or `EPOCH.VERSION.N` after `N` rejected inputs that follow the version. A position in an earlier epoch is before \
    the whole log.
    """
  ).named("LogPosition")

  static let dialect = oneOf(Dialect.allCases.map(\.rawValue)).described("The dialect of the markup.").named("Dialect")

  static let problem = object(
    [
      "type": string, "title": string.described("What is wrong, in general."),
      "status": integer(from: 400, upTo: 599),
      "code": oneOf(ProblemCode.all).described("The kind of problem, for programs. More kinds may be added."),
    ],
    optional: [
      "detail": string.described("What is wrong with this request, and what to do."),
      "pointer": string.described("A JSON Pointer to the fault in the body."),
      "offset": count.described("The byte of the body at which the fault is."),
    ]
  ).described("An error (RFC 9457).").named("Problem")

  static let health = object(
    ["status": constant("ok")],
    optional: [
      "memory": object([:], others: count).described(
        "With `?ready`: the limits of memory by name, in bytes. Together they are at most half of what the process may have, unless they are set."
      )
    ]
  ).named("Health")
}
