#if canImport(FoundationEssentials)
  // `Foundation` would add its Unicode tables and treble the size of the program.
  private import FoundationEssentials
#else
  private import Foundation
#endif

/// One `ignore_attrs` command of a binding such as
/// `[["ignore_attrs",{"attrs":["open"],"to":"#a"}]]`. ``ClientPatch`` executes the commands of
/// `phx-mounted`.
struct IgnoreCommand {
  enum Target {
    case itself
    case anywhere(String)
    case inner(String)
    case closest(String)
  }

  var names: [String]
  var target: Target

  /// The `ignore_attrs` commands of a binding; empty if it is not valid JSON.
  static func all(in script: String) -> [IgnoreCommand] {
    let commands = (try? JSONDecoder().decode([Command].self, from: Data(script.utf8))) ?? []
    return commands.compactMap { command in
      guard command.name == "ignore_attrs", let options = command.options, let names = options.names else { return nil }
      return IgnoreCommand(names: names, target: options.target)
    }
  }

  /// Any command, which is an array `[name, options]`. Options are decoded for `ignore_attrs` only.
  private struct Command: Decodable {
    var name: String?
    var options: Options?

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try? list.decode(String.self)
      if name == "ignore_attrs" { options = try? list.decode(Options.self) }
    }
  }

  private struct Options: Decodable {
    var names: [String]?
    var target: Target

    enum Key: String, CodingKey { case attrs, to }

    init(from decoder: any Decoder) throws {
      let options = try decoder.container(keyedBy: Key.self)
      names = try? options.decode([String].self, forKey: .attrs)
      if let selector = try? options.decode(String.self, forKey: .to) {
        target = .anywhere(selector)
      } else if let scope = try? options.decode([String: String].self, forKey: .to) {
        target = scope["inner"].map { .inner($0) } ?? .closest(scope["closest"] ?? "")
      } else {
        target = .itself
      }
    }
  }
}
