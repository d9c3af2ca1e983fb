import Testing

/// The tests of the program run one after another. A program that starts while the pipes of another
/// one are open would inherit their ends, and a reader would not see the end of its input.
@Suite(.serialized) enum CommandSuite {}
