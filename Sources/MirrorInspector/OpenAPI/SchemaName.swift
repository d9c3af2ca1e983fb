/// The schemas of `components/schemas`.
enum SchemaName: String, CaseIterable, Sendable {
  case viewID = "ViewID"
  case pageID = "PageID"
  case version = "Version"
  case node = "NodeNumber"
  case position = "LogPosition"
  case dialect = "Dialect"
  case problem = "Problem"
  case rendered = "Rendered"
  case diff = "Diff"
  case frame = "Frame"
  case joinReply = "JoinReply"
  case joinPayload = "JoinPayload"
  case diffFrame = "DiffFrame"
  case diffPayload = "DiffPayload"
  case timedFrame = "TimedFrame"
  case frameLine = "FrameLine"
  case recording = "Recording"
  case exportLine = "ExportLine"
  case changeSet = "ChangeSet"
  case change = "Change"
  case textChange = "TextChange"
  case attributesChange = "AttributesChange"
  case addition = "Addition"
  case removal = "Removal"
  case move = "Move"
  case place = "Place"
  case cause = "Cause"
  case isolation = "Isolation"
  case explanation = "Explanation"
  case explainedPart = "ExplainedPart"
  case unchanged = "Unchanged"
  case comparison = "Comparison"
  case finding = "Finding"
  case findings = "Findings"
  case steps = "Steps"
  case step = "Step"
  case waste = "Waste"
  case slotCosts = "SlotCosts"
  case listCosts = "ListCosts"
  case rejection = "Rejection"
  case logEntry = "LogEntry"
  case logPage = "LogPage"
  case framesReport = "FramesReport"
  case rejectedFrame = "RejectedFrame"
  case importReport = "ImportReport"
  case view = "View"
  case viewLife = "ViewLife"
  case views = "Views"
  case inspector = "InspectorPage"
  case pagePatch = "PagePatch"
  case pageChanges = "PageChanges"
  case treeNode = "TreeNode"
  case tree = "Tree"
  case nodeDetails = "NodeDetails"
  case nodeSummary = "NodeSummary"
  case nodes = "Nodes"
  case subscribers = "Subscribers"
  case nodeSubscribers = "NodeSubscribers"
  case newSubscription = "NewSubscription"
  case subscription = "Subscription"
  case subscriptions = "Subscriptions"
  case viewEvent = "ViewEvent"
  case newPage = "NewPage"
  case page = "Page"
  case pages = "Pages"
  case push = "Push"
  case pushValue = "PushValue"
  case pushEvent = "PushEvent"
  case health = "Health"

  /// The reference to the schema.
  var reference: String { "#/components/schemas/\(rawValue)" }

  var schema: Schema {
    switch self {
    case .viewID: .viewID
    case .pageID: .pageID
    case .version: .version
    case .node: .node
    case .position: .position
    case .dialect: .dialect
    case .problem: .problem
    case .rendered: .rendered
    case .diff: .diff
    case .frame: .frame
    case .joinReply: .joinReply
    case .joinPayload: .joinPayload
    case .diffFrame: .diffFrame
    case .diffPayload: .diffPayload
    case .timedFrame: .timedFrame
    case .frameLine: .frameLine
    case .recording: .recording
    case .exportLine: .exportLine
    case .changeSet: .changeSet
    case .change: .change
    case .textChange: .textChange
    case .attributesChange: .attributesChange
    case .addition: .addition
    case .removal: .removal
    case .move: .move
    case .place: .place
    case .cause: .cause
    case .isolation: .isolation
    case .explanation: .explanation
    case .explainedPart: .explainedPart
    case .unchanged: .unchanged
    case .comparison: .comparison
    case .finding: .finding
    case .findings: .findings
    case .steps: .steps
    case .step: .step
    case .waste: .wasteReport
    case .slotCosts: .slotCosts
    case .listCosts: .listCosts
    case .rejection: .rejection
    case .logEntry: .logEntry
    case .logPage: .logPage
    case .framesReport: .framesReport
    case .rejectedFrame: .rejectedFrame
    case .importReport: .importReport
    case .view: .view
    case .viewLife: .viewLife
    case .views: .views
    case .inspector: .inspector
    case .pagePatch: .pagePatch
    case .pageChanges: .pageChanges
    case .treeNode: .treeNode
    case .tree: .tree
    case .nodeDetails: .nodeDetails
    case .nodeSummary: .nodeSummary
    case .nodes: .nodes
    case .subscribers: .subscribers
    case .nodeSubscribers: .nodeSubscribers
    case .newSubscription: .newSubscription
    case .subscription: .subscription
    case .subscriptions: .subscriptions
    case .viewEvent: .viewEvent
    case .newPage: .newPage
    case .page: .page
    case .pages: .pages
    case .push: .push
    case .pushValue: .pushValue
    case .pushEvent: .pushEvent
    case .health: .health
    }
  }
}
