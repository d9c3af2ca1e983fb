/// The reason for a full update of a diff. The parts of a scoped update throw it before they change
/// the document, and records show its text as `path_reason`.
package enum FullUpdateReason: Error, Hashable, Sendable {
  // The update itself
  case mount, fullPipeline, verification, wholePage, clientStops

  // The page before the update
  case unlinkedPage, portalTemplates, duplicateIDs
  case duplicateID(String)
  case fieldNames

  // Cost and limits
  case largeDiff, largeRegion, tooMuchWork, tooManyNodes, tooLarge

  // The place of a change
  case unlinked, missingNode
  case unplacedComponent(Int)
  case unplacedWholeComponent(Int)
  case topOfComponent, partOfEntry, hiddenStream, overlap

  // The markup of a region
  case unrenderable(String)
  case uncontainedMarkup, noElement, severalElements, uncontainedRoot, severalRoots

  // Ids and components
  case repeatedID(String)
  case sharedID(String)
  case sharedComponent(Int)
  case movedID, movedKey, newComponentID, newNamespace

  // Streams
  case limitOfZero
  case itemElsewhere(String)
  case resetElsewhere, resetKeepsItem, insertBeside, insertWithoutMarkup, deletedListed, limitRemovesOther

  // Rules of LiveView's client
  case ignoredAttributes, ignoresAllAttributes
  case patchedAsWhole(String)
  case actsWhenAdded(String)
  case contentOfPortal, portals, openDetails, statefulSibling, renewedRoot, hiddenComponent, changedUpdateRule,
    containerWithoutID, lostContainer
}

extension FullUpdateReason {
  /// The reason as `path_reason` shows it. Recordings have these texts.
  package var text: String {
    switch self {
    case .mount: "a mount"
    case .fullPipeline: "the options choose the full pipeline"
    case .verification: "it verifies a scoped update"
    case .wholePage: "the diff replaces the whole page"
    case .clientStops: "LiveView's client stops before it patches the page"
    case .unlinkedPage: "the document may differ from the page, or is not linked to it"
    case .portalTemplates: "the template of a portal repeats the ids that the portal shows"
    case .duplicateIDs: "several elements of the page have the same id"
    case .duplicateID(let id): "several elements of the page have the id \"\(id)\""
    case .fieldNames: "the name of a form field hides a property of its form, or data-phx-teleported is in the markup"
    case .largeDiff: "the diff names a large part of the page"
    case .largeRegion: "the region of the change has most of the page's nodes"
    case .tooMuchWork: "a scoped update would take more work than a full one"
    case .tooManyNodes: "the page may have too many nodes"
    case .tooLarge: "the page may have become too large"
    case .unlinked: "the nodes around the change are not those that its template describes"
    case .missingNode: "a node that the template refers to is not in the document"
    case .unplacedComponent(let cid): "the position of component \(cid) is not known"
    case .unplacedWholeComponent(let cid): "component \(cid) was sent whole, and its position is not known"
    case .topOfComponent: "the change is at the top level of a component, not inside of one of its elements"
    case .partOfEntry: "the element is one of several elements of an entry"
    case .hiddenStream: "a stream changed in a component that the page does not show"
    case .overlap: "parts of the update overlap"
    case .unrenderable(let reason): reason
    case .uncontainedMarkup: "the markup of the region affects the markup around it"
    case .noElement: "the markup of an element or component is empty now"
    case .severalElements: "the markup is no longer exactly one element or component"
    case .uncontainedRoot: "the root element of a component does not contain exactly its own markup"
    case .severalRoots: "a component has several root elements, and the client keeps the state of elements"
    case .repeatedID(let id): "two elements of the update have the id \"\(id)\""
    case .sharedID(let id): "the id \"\(id)\" is also in another part of the page"
    case .sharedComponent(let cid): "component \(cid) is also in another part of the page"
    case .movedID: "an id moves to another element"
    case .movedKey: "an element that the client finds by a key has another parent than before"
    case .newComponentID: "the root of a component has a new id"
    case .newNamespace: "the root of a component is in another namespace than before"
    case .limitOfZero: "a stream has a limit of 0"
    case .itemElsewhere(let id): "a stream names the id \"\(id)\", which is in another part of the page"
    case .resetElsewhere: "a stream that is reset has items in another part of the page"
    case .resetKeepsItem: "a stream that is reset shows an item that it does not insert"
    case .insertBeside: "a stream inserts an item beside nodes outside of its region"
    case .insertWithoutMarkup: "a stream inserts an item whose markup is not in its region"
    case .deletedListed: "a stream deletes an element that the page lists"
    case .limitRemovesOther: "the limit of a stream removes a child that the stream has not inserted"
    case .ignoredAttributes: "the client keeps attributes of the changed element (JS.ignore_attributes)"
    case .ignoresAllAttributes: "the client stops at an element that ignores all attributes"
    case .patchedAsWhole(let tag): "the client patches the <\(tag)> around the change as a whole"
    case .actsWhenAdded(let tag): "adding a <\(tag)> has effects in the client that its markup does not show"
    case .contentOfPortal: "the change is in the content of a portal"
    case .portals: "the page has portals, and elements may be added or removed"
    case .openDetails: "which <details> element with a name is open depends on all of them"
    case .statefulSibling: "elements are added, removed or moved beside one whose state the client keeps"
    case .renewedRoot: "a fragment was sent again without a change, and the client treats its element as new"
    case .hiddenComponent: "a component changes inside of an element that the client leaves unchanged"
    case .changedUpdateRule: "the phx-update attribute of an element changes"
    case .containerWithoutID: "an element with phx-update has no id"
    case .lostContainer: "an element with phx-update is removed, or has a new id"
    }
  }
}
