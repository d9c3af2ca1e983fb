defmodule LiveViewMirror.ProgramTest do
  use ExUnit.Case
  import ExUnit.CaptureLog
  import LiveViewMirror.Helpers

  # The reply to a LiveView's join, as the tap posts it.
  @frames ~S({"at":1000,"sent":false,"frame":["4","4","lv:phx-F1","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]})

  defp post(origin, headers \\ []) do
    url = LiveViewMirror.address() <> "/frames?page=tab-1&first=0"
    {status, _} = request(:post, url, [{"origin", origin} | headers], @frames)
    status
  end

  test "without a mirror, the tap renders nothing" do
    assert LiveViewMirror.tap() == {:safe, ""}
    assert LiveViewMirror.address() == nil
    assert Application.get_env(:liveview_mirror, :tap) == nil
  end

  @tag :program
  test "the tap is the script of the mirror, and the mirror accepts the pages of the app alone" do
    log = capture_log(fn -> start_program(origins: ["http://localhost:4000", "http://127.0.0.1:4000"]) end)
    address = LiveViewMirror.address()
    assert log =~ "[info] liveview-mirror shows this app's LiveViews at " <> address

    assert LiveViewMirror.tap() == {:safe, ~s(<script src="#{address}/assets/tap.js"></script>)}
    assert Application.get_env(:liveview_mirror, :tap) == LiveViewMirror.tap()
    assert {200, script} = request(:get, address <> "/assets/tap.js")
    assert script =~ "liveViewMirrorTap"

    assert post("http://localhost:4000") == 200
    assert post("http://127.0.0.1:4000") == 200
    assert post("http://localhost:4001") == 403
  end

  @tag :program
  test "the program has ended when its process has, and the tap renders nothing" do
    id = program_id(start_program())
    assert runs?(id)
    :ok = stop_supervised(LiveViewMirror.Program)
    refute runs?(id)
    eventually(fn -> LiveViewMirror.tap() == {:safe, ""} end)
  end

  @tag :program
  test "a program that ends by itself is an error in the log, and the tap renders nothing" do
    process = start_program()
    reference = Process.monitor(process)

    log =
      capture_log(fn ->
        System.cmd("kill", ["-9", "#{program_id(process)}"])
        assert_receive {:DOWN, ^reference, _, _, :normal}, 10_000
      end)

    assert log =~ "[error] liveview-mirror has ended: #{System.get_env("MIRROR_PROGRAM")} exited with 137."
    eventually(fn -> LiveViewMirror.tap() == {:safe, ""} end)
  end

  @tag :program
  test "a port that is used is an error that names the setting" do
    {:ok, socket} = :gen_tcp.listen(0, ip: {127, 0, 0, 1})
    {:ok, port} = :inet.port(socket)
    log = log_of_failure(port: port)
    assert log =~ "set another one: config :liveview_mirror, port: 8081"
    assert log =~ "port #{port} on 127.0.0.1 is already used by"
    eventually(fn -> LiveViewMirror.tap() == {:safe, ""} end)
  end

  @tag :program
  test "a wrong flag is an error with the message of the program" do
    log = log_of_failure(args: ["--versions", "many"])
    assert log =~ "exited with 64. Check :origins, :args"
    assert log =~ "--versions: “many” must be"
  end

  @tag :program
  test "the token is in the tap, and not among the flags of the program" do
    token = "a-token-of-24-letters.~+/"
    process = start_program(token: token)
    assert {:safe, tag} = LiveViewMirror.tap()
    assert tag =~ ~s( data-token="#{token}">)
    assert post("http://localhost:4000") == 401
    assert post("http://localhost:4000", [{"authorization", "Bearer " <> token}]) == 200
    refute File.read!("/proc/#{program_id(process)}/cmdline") =~ token
  end

  @tag :program
  test "warnings of the program are in the app's log, also those at its start" do
    put_variables(%{"MIRROR_VERSION" => "3"})
    log = capture_log(fn -> start_program() end)
    assert log =~ ~r/\[warn(ing)?\] liveview-mirror: .*MIRROR_VERSION/
    refute log =~ "name=port"
  end

  @tag :program
  test "arguments follow the flags of the settings" do
    log = capture_log(fn -> start_program(args: ["--log-level", "info", "--max-views", "7"]) end)
    assert log =~ ~r/\[info\] liveview-mirror: setting .*name=max-views value=7/
  end

  @tag :program
  test "the url is the address for the browser, escaped" do
    start_program(url: ~s(http://mirror.test:8080/?a="b"&c=<d>/))
    assert {:safe, tag} = LiveViewMirror.tap()

    assert tag ==
             ~s(<script src="http://mirror.test:8080/?a=&#34;b&#34;&#38;c=&#60;d&#62;/assets/tap.js"></script>)
  end

  @tag :program
  @tag :tmp_dir
  test "the program is looked for on the PATH", %{tmp_dir: folder} do
    File.ln_s!(System.get_env("MIRROR_PROGRAM"), Path.join(folder, "liveview-mirror"))
    put_variables(%{"PATH" => Path.expand(folder) <> ":" <> System.get_env("PATH")})
    start_program(path: nil)
  end

  @tag :tmp_dir
  test "a path that is no program is an error that names the setting", %{tmp_dir: folder} do
    file = Path.join(folder, "text")
    File.write!(file, "")
    assert log_of_failure(path: file) =~ "the setting :path names #{file}, which is not an executable file"
    assert log_of_failure(path: folder) =~ "which is not an executable file"
    assert log_of_failure(path: "/missing") =~ "the setting :path names /missing"
  end

  test "no program at all is an error that says what to configure" do
    put_variables(%{"PATH" => "/missing"})
    log = log_of_failure(path: nil)

    assert log =~
             "[error] liveview-mirror is not started: :path is not set, liveview-mirror is not on the PATH"

    assert log =~ ~s(config :liveview_mirror, path: "/path/to/liveview-mirror")
  end
end
