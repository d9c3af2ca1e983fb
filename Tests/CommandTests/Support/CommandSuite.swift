import Testing

/// The tests of the program run one after another: a program that is started while another one's pipes are open would
/// hold their ends, and no reader would see the end of its input.
@Suite(.serialized) enum CommandSuite {}
