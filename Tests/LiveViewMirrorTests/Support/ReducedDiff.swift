import Foundation

/// A diff without one of its parts, as JSON. The tests of causes apply it to find out whether a
/// change needs that part.
///
/// Some parts cannot be left out: a list of LiveView 1.0 has all of its entries, and each keyed
/// list has a number of entries. Such a part gets the value that it has in the tree before the
/// diff.
struct ReducedDiff {
  private enum Failure: Error {
    case missing
  }

  let json: Any

  /// - Parameters:
  ///   - name: the path of the part, as change sets name it.
  ///   - diff: the diff.
  ///   - tree: the tree before the diff, in the form of a mount.
  /// - Returns: `nil` if the diff has no such part, or the part has no previous value.
  init?(leavingOut name: String, of diff: Any, before tree: Any) {
    let steps = name.split(separator: ".").map(String.init)
    guard let json = try? Self.reduce(diff, steps[...], tree) else { return nil }
    self.json = json
  }

  var bytes: [UInt8] {
    (try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)).map(Array.init) ?? []
  }

  private static func reduce(_ value: Any, _ steps: ArraySlice<String>, _ tree: Any?) throws -> Any {
    guard let step = steps.first else { throw Failure.missing }
    let rest = steps.dropFirst()
    if var object = value as? [String: Any] {
      guard let member = object[step] else { throw Failure.missing }
      let old = (tree as? [String: Any])?[step]
      if !rest.isEmpty {
        switch step {
        case "k": object[step] = try reduceEntries(member, rest, old)
        case "d": object[step] = try reduceRows(member, rest, old)
        default: object[step] = try reduce(member, rest, old)
        }
      } else if step == "d", let rows = member as? [Any], let oldRows = old as? [Any] {
        // The removal of the last entries.
        object[step] = rows + oldRows.dropFirst(rows.count)
      } else {
        object[step] = nil
      }
      return object
    }
    // The changes of an entry of LiveView 1.0 or of a stream operation.
    guard var array = value as? [Any], let index = Int(step), array.indices.contains(index) else {
      throw Failure.missing
    }
    if rest.isEmpty {
      array.remove(at: index)
    } else {
      array[index] = try reduce(array[index], rest, nil)
    }
    return array
  }

  /// Reduces the value of `k`.
  private static func reduceEntries(_ value: Any, _ steps: ArraySlice<String>, _ tree: Any?) throws -> Any {
    guard var entries = value as? [String: Any], let step = steps.first, let member = entries[step] else {
      throw Failure.missing
    }
    let rest = steps.dropFirst()
    let old = tree as? [String: Any] ?? [:]
    let oldCount = (old["kc"] as? Int) ?? 0
    if step == "kc" {
      entries[step] = oldCount
    } else if rest.isEmpty {
      entries[step] = nil
    } else if var moved = member as? [Any] {
      guard moved.count == 2, let from = moved[0] as? Int, rest.first == "1" else { throw Failure.missing }
      moved[1] = try reduce(moved[1], rest.dropFirst(), old[String(from)])
      entries[step] = moved
    } else {
      entries[step] = try reduce(member, rest, old[step])
    }
    return entries
  }

  /// Reduces the value of `d`.
  private static func reduceRows(_ value: Any, _ steps: ArraySlice<String>, _ tree: Any?) throws -> Any {
    guard var rows = value as? [Any], let step = steps.first, let index = Int(step), rows.indices.contains(index) else {
      throw Failure.missing
    }
    let old = tree as? [Any] ?? []
    let rest = steps.dropFirst()
    if rest.isEmpty {
      if index < old.count { rows[index] = old[index] } else { rows.remove(at: index) }
      return rows
    }
    guard var row = rows[index] as? [Any], let slot = Int(rest[rest.startIndex]), row.indices.contains(slot) else {
      throw Failure.missing
    }
    let oldRow = index < old.count ? old[index] as? [Any] : nil
    if rest.count > 1 {
      row[slot] = try reduce(row[slot], rest.dropFirst(), oldRow?[slot])
    } else {
      guard let oldRow, oldRow.indices.contains(slot) else { throw Failure.missing }
      row[slot] = oldRow[slot]
    }
    rows[index] = row
    return rows
  }
}
