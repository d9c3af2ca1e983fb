defmodule LiveViewMirror.StubServer do
  @moduledoc """
  An HTTP server on a free port: the host of a release, a proxy, or the web server of an app. It sends each request's
  head to the process that has started it, as `{:request, head}`.
  """

  @doc """
  Starts a server and returns its port. The function gets the head of a request, and returns a status and a body, or
  `{:cut, body}` for a connection that ends in the middle of the body. With `tls`, the options of a TLS server.
  """
  def start(respond, tls \\ nil) do
    owner = self()
    options = [:binary, active: false, reuseaddr: true]
    {module, options} = if tls, do: {:ssl, options ++ tls}, else: {:gen_tcp, options}
    {:ok, listener} = module.listen(0, options)
    {:ok, {_, port}} = if tls, do: :ssl.sockname(listener), else: :inet.sockname(listener)

    ExUnit.Callbacks.start_supervised!({Task, fn -> accept(module, listener, owner, respond) end},
      id: make_ref()
    )

    port
  end

  defp accept(:ssl, listener, owner, respond) do
    {:ok, connection} = :ssl.transport_accept(listener)
    # A client that does not trust the certificate ends the handshake.
    with {:ok, connection} <- :ssl.handshake(connection), do: serve(:ssl, connection, owner, respond)
    accept(:ssl, listener, owner, respond)
  end

  defp accept(module, listener, owner, respond) do
    {:ok, connection} = module.accept(listener)
    serve(module, connection, owner, respond)
    accept(module, listener, owner, respond)
  end

  defp serve(module, connection, owner, respond) do
    head = read(module, connection, "")
    send(owner, {:request, head})

    case respond.(head) do
      {:cut, body} -> module.send(connection, response(200, body, div(byte_size(body), 2)))
      {status, body} -> module.send(connection, response(status, body, byte_size(body)))
    end

    module.close(connection)
  end

  defp read(module, connection, head) do
    if String.ends_with?(head, "\r\n\r\n") do
      head
    else
      {:ok, more} = module.recv(connection, 0)
      read(module, connection, head <> more)
    end
  end

  defp response(status, body, sent) do
    [
      "HTTP/1.1 #{status} Status\r\ncontent-length: #{byte_size(body)}\r\nconnection: close\r\n\r\n",
      binary_part(body, 0, sent)
    ]
  end
end
