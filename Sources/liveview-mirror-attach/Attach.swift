internal import ArgumentParser
internal import LiveViewClient

@main
struct Attach: AsyncParsableCommand {
}
