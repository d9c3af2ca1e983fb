internal import CLibrary
internal import NIOCore
internal import NIOPosix

/// A server that answers the first bytes of each connection with a text, whatever they are, and
/// closes it.
package final class RawServer: Sendable {
  private let listener: any Channel

  /// - Parameters:
  ///   - answer: `nil` for a server that never answers.
  ///   - resets: whether connections end with RST and not with FIN.
  package init(_ answer: String?, resets: Bool = false) throws {
    listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        if resets, let socket = channel as? any SocketOptionProvider {
          _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        return channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(answer)) }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
  }

  /// The host with its port.
  package var authority: String { "127.0.0.1:\(listener.localAddress?.port ?? 0)" }

  package func stop() { try? listener.close().wait() }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let answer: String?

    init(_ answer: String?) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard let answer else { return }
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }
}
