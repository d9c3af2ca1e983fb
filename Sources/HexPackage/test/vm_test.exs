defmodule LiveViewMirror.VMTest do
  # Runs the application in a VM of its own, as an app does, and ends that VM.
  use ExUnit.Case
  import LiveViewMirror.Helpers
  alias LiveViewMirror.StubServer

  @moduletag :program

  # Prints the process ids of the VM and of the program, and the tap; then ends as the first line of its input says.
  @code """
  for {app, name, value} <- CONFIGURATION, do: Application.put_env(app, name, value)
  {:ok, _} = Application.ensure_all_started(:liveview_mirror)

  ready = fn ready ->
    unless LiveViewMirror.address(), do: (Process.sleep(20); ready.(ready))
  end

  ready.(ready)
  {:os_pid, program} = Port.info(:sys.get_state(LiveViewMirror.Program).port, :os_pid)
  {:safe, tap} = Application.get_env(:liveview_mirror, :tap)
  IO.puts("ready #\{System.pid()} #\{program} #\{tap}")

  case IO.gets("") do
    "stop\\n" -> System.stop(0)
    "halt\\n" -> System.halt(0)
    # The VM ends by a signal.
    _ -> :ok
  end

  Process.sleep(:infinity)
  """

  # An endpoint as `config/dev.exs` has it, on the port of a server that renders the layout.
  defp start_vm(port \\ 4000) do
    configuration = [
      {:logger, ShopWeb.Endpoint, [url: [host: "localhost"], http: [port: port], server: true]},
      {:liveview_mirror, :endpoint, ShopWeb.Endpoint},
      {:liveview_mirror, :path, System.get_env("MIRROR_PROGRAM")},
      {:liveview_mirror, :port, 0}
    ]

    code = String.replace(@code, "CONFIGURATION", inspect(configuration, limit: :infinity))
    arguments = ["-pa", Application.app_dir(:liveview_mirror, "ebin"), "-e", code]
    elixir = System.find_executable("elixir")
    vm = Port.open({:spawn_executable, elixir}, [:binary, :exit_status, line: 65_536, args: arguments])
    {:os_pid, id} = Port.info(vm, :os_pid)
    kill_at_exit(id)
    wait_for_line(vm)
  end

  # A test that fails leaves no process behind.
  defp kill_at_exit(id) do
    on_exit(fn -> System.cmd("kill", ["-9", "#{id}"], stderr_to_stdout: true) end)
  end

  defp wait_for_line(vm) do
    receive do
      {^vm, {:data, {:eol, "ready " <> line}}} ->
        [id, program, tap] = String.split(line, " ", parts: 3)
        kill_at_exit(program)
        %{vm: vm, id: id, program: program, tap: tap}

      {^vm, {:data, _}} ->
        wait_for_line(vm)
    after
      20_000 -> raise "the VM is not ready after 20 seconds"
    end
  end

  defp wait_for_end(%{vm: vm}) do
    assert_receive {^vm, {:exit_status, _}}, 20_000
  end

  test "a page of the endpoint loads the tap, and its frames are accepted" do
    layout = start_supervised!({Agent, fn -> "" end})
    port = StubServer.start(fn _ -> {200, "<!DOCTYPE html><head>#{Agent.get(layout, & &1)}</head>"} end)
    vm = start_vm(port)
    Agent.update(layout, fn _ -> vm.tap end)
    assert {200, html} = request(:get, "http://localhost:#{port}/")

    assert [_, mirror] =
             Regex.run(~r{<head><script src="(http://127\.0\.0\.1:\d+)/assets/tap\.js"></script>}, html)

    browser = [{"origin", "http://localhost:#{port}"}, {"sec-fetch-site", "cross-site"}]
    assert {200, _} = request(:get, mirror <> "/assets/tap.js", browser)

    assert {201, _} = request(:post, mirror <> "/pages/tab-1", browser, "{}")

    stranger = [{"origin", "http://localhost:1"}, {"sec-fetch-site", "cross-site"}]
    assert {403, _} = request(:post, mirror <> "/pages/tab-1", stranger, "{}")
  end

  for ending <- ["stop", "halt"] do
    test "the program ends with a VM that ends by System.#{ending}" do
      vm = start_vm()
      assert runs?(vm.program)
      Port.command(vm.vm, unquote(ending) <> "\n")
      wait_for_end(vm)
      # `System.stop` has waited for it.
      if unquote(ending) == "stop", do: refute(runs?(vm.program))
      eventually(fn -> not runs?(vm.program) end)
    end
  end

  for signal <- ["TERM", "KILL"] do
    test "the program ends with a VM that ends by SIG#{signal}" do
      vm = start_vm()
      assert runs?(vm.program)
      System.cmd("kill", ["-#{unquote(signal)}", vm.id])
      wait_for_end(vm)
      eventually(fn -> not runs?(vm.program) end)
    end
  end

  test "a program that waits for a request ends with the VM, too" do
    vm = start_vm()
    [_, port] = Regex.run(~r{127\.0\.0\.1:(\d+)}, vm.tap)
    {:ok, socket} = :gen_tcp.connect({127, 0, 0, 1}, String.to_integer(port), [:binary, active: false])
    # The rest of the request does not follow. The program waits for it, as long as `--grace` says.
    :ok =
      :gen_tcp.send(socket, "POST /views/a/diffs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")

    begin = System.monotonic_time(:millisecond)
    Port.command(vm.vm, "stop\n")
    wait_for_end(vm)
    eventually(fn -> not runs?(vm.program) end)
    assert System.monotonic_time(:millisecond) - begin < 5_000
  end
end
