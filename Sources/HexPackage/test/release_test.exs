defmodule LiveViewMirror.ReleaseTest do
  use ExUnit.Case
  import ExUnit.CaptureLog
  import LiveViewMirror.Helpers
  alias LiveViewMirror.{Release, StubServer}

  @moduletag :tmp_dir

  @version Mix.Project.config()[:version]
  {:ok, platform} = Release.platform(to_string(:erlang.system_info(:system_architecture)))
  @platform platform
  @name "liveview-mirror-#{@version}-#{@platform}"

  setup %{tmp_dir: folder} do
    put_variables(%{"XDG_CACHE_HOME" => Path.expand(folder), "PATH" => System.get_env("PATH")})

    for name <- ~w(http_proxy https_proxy no_proxy),
        do: put_variables(%{name => "", String.upcase(name) => ""})

    {:ok, cache: Path.join(folder, "liveview-mirror")}
  end

  # An archive as a release has it. The program is a script.
  defp archive(script \\ "#!/bin/sh\necho of the archive\n", name \\ "#{@name}/liveview-mirror") do
    folder = System.tmp_dir!() |> Path.join("archive-#{System.unique_integer([:positive])}-#{System.pid()}")
    program = Path.join(folder, "program")
    File.mkdir_p!(folder)
    File.write!(program, script)
    File.chmod!(program, 0o755)
    tar = String.to_charlist(Path.join(folder, "archive.tar.gz"))

    files = [
      {String.to_charlist(name), String.to_charlist(program)},
      {~c"#{@name}/Public/inspector/inspector.css", "a {}"}
    ]

    :ok = :erl_tar.create(tar, files, [:compressed])
    archive = File.read!(tar)
    File.rm_rf!(folder)
    archive
  end

  defp sum(archive), do: :sha256 |> :crypto.hash(archive) |> Base.encode16(case: :lower)

  defp release(port, archive, options \\ []) do
    options =
      Keyword.merge(
        [release_url: "http://127.0.0.1:#{port}/v1/", checksums: %{@platform => sum(archive)}],
        options
      )

    settings([path: nil] ++ options)
  end

  defp assert_nothing_cached(cache), do: assert(File.ls(cache) in [{:ok, []}, {:error, :enoent}])

  test "the archive is fetched, verified and unpacked once", %{cache: cache} do
    archive = archive()
    port = StubServer.start(fn _ -> {200, archive} end)
    assert {:ok, program} = Release.program(release(port, archive))
    assert_received {:request, head}
    assert head =~ "/v1/#{@name}.tar.gz HTTP/1.1"
    assert program == Path.expand(Path.join([cache, sum(archive), @name, "liveview-mirror"]))
    assert System.cmd(program, []) == {"of the archive\n", 0}
    assert File.read!(Path.join(Path.dirname(program), "Public/inspector/inspector.css")) == "a {}"

    assert Release.program(release(port, archive)) == {:ok, program}
    refute_received {:request, _}
    assert File.ls!(cache) == [sum(archive)]
  end

  test "a checksum may have upper-case letters, and another checksum is another fetch" do
    archive = archive()
    port = StubServer.start(fn _ -> {200, archive} end)
    upper = %{@platform => String.upcase(sum(archive))}
    assert {:ok, program} = Release.program(release(port, archive, checksums: upper))
    assert {:error, _} = Release.program(release(port, archive, checksums: %{@platform => sum("other")}))
    assert File.regular?(program)
  end

  test "two VMs that start at the same time share the cache", %{cache: cache} do
    archive = archive()
    port = StubServer.start(fn _ -> {200, archive} end)

    code = """
    {:ok, _} = Application.ensure_all_started(:liveview_mirror)
    IO.inspect(LiveViewMirror.Release.program(#{inspect(release(port, archive))}))
    """

    arguments = ["-pa", Application.app_dir(:liveview_mirror, "ebin"), "-e", code]
    start = fn -> System.cmd("elixir", arguments, stderr_to_stdout: true) end
    results = [start, start] |> Enum.map(&Task.async/1) |> Task.await_many(30_000)

    for {output, status} <- results do
      assert status == 0, output
      assert output =~ "#{sum(archive)}/#{@name}/liveview-mirror"
    end

    assert File.ls!(cache) == [sum(archive)]
  end

  test "a VM that was faster has put the program there", %{cache: cache} do
    archive = archive()
    program = Path.join([cache, sum(archive), @name, "liveview-mirror"])

    port =
      StubServer.start(fn _ ->
        File.mkdir_p!(Path.dirname(program))
        File.write!(program, "of the other VM")
        {200, archive}
      end)

    assert Release.program(release(port, archive)) == {:ok, Path.expand(program)}
    assert File.read!(program) == "of the other VM"
    assert File.ls!(cache) == [sum(archive)]
  end

  describe "nothing is cached, and the error says what to do," do
    test "if the checksum differs", %{cache: cache} do
      port = StubServer.start(fn _ -> {200, archive("#!/bin/sh\necho other\n")} end)
      archive = archive()
      assert {:error, message} = Release.program(release(port, archive))

      assert message =~
               ~r/#{@name}.tar.gz has the SHA-256 [0-9a-f]{64} instead of #{sum(archive)}, so it is not used/

      assert_nothing_cached(cache)
    end

    test "if the host does not have the archive", %{cache: cache} do
      port = StubServer.start(fn _ -> {404, "no such file"} end)
      assert {:error, message} = Release.program(release(port, archive()))

      assert message =~
               "http://127.0.0.1:#{port}/v1/#{@name}.tar.gz responds with status 404. Check :release_url"

      assert_nothing_cached(cache)
    end

    test "if the connection is cut", %{cache: cache} do
      archive = archive()
      port = StubServer.start(fn _ -> {:cut, archive} end)
      assert {:error, message} = Release.program(release(port, archive))
      assert message =~ "#{@name}.tar.gz"
      assert_nothing_cached(cache)
    end

    test "if there is no host", %{cache: cache} do
      {:ok, socket} = :gen_tcp.listen(0, ip: {127, 0, 0, 1})
      {:ok, port} = :inet.port(socket)
      :gen_tcp.close(socket)
      assert {:error, message} = Release.program(release(port, archive()))
      assert message =~ "#{@name}.tar.gz cannot be fetched"
      assert message =~ "econnrefused"
      assert_nothing_cached(cache)
    end

    test "if the file is no archive", %{cache: cache} do
      port = StubServer.start(fn _ -> {200, "not an archive"} end)
      assert {:error, message} = Release.program(release(port, "not an archive"))
      assert message =~ "#{@name}.tar.gz cannot be unpacked in "
      assert_nothing_cached(cache)
    end

    test "if the archive does not contain the program", %{cache: cache} do
      archive = archive("#!/bin/sh\n", "elsewhere/liveview-mirror")
      port = StubServer.start(fn _ -> {200, archive} end)
      assert {:error, message} = Release.program(release(port, archive))
      assert message =~ "#{@name}.tar.gz does not contain #{@name}/liveview-mirror"
      assert_nothing_cached(cache)
    end

    test "if the cache cannot be written", %{tmp_dir: folder} do
      archive = archive()
      port = StubServer.start(fn _ -> {200, archive} end)
      File.write!(Path.join(folder, "liveview-mirror"), "a file")
      assert {:error, message} = Release.program(release(port, archive))
      assert message =~ "cannot be unpacked in #{Path.expand(folder)}/liveview-mirror"
    end
  end

  test "without a checksum of the platform, nothing is requested" do
    port = StubServer.start(fn _ -> {200, archive()} end)
    assert {:error, message} = Release.program(release(port, "", checksums: %{"linux-riscv64" => sum("")}))
    assert message =~ ~s(config :liveview_mirror, checksums: %{"#{@platform}" => "…"})
    refute_received {:request, _}
  end

  test "the platform is Linux with glibc on x86_64 or arm64" do
    assert Release.platform("x86_64-pc-linux-gnu") == {:ok, "linux-x86_64"}
    assert Release.platform("aarch64-unknown-linux-gnu") == {:ok, "linux-arm64"}

    for system <- [
          "x86_64-alpine-linux-musl",
          "aarch64-apple-darwin23.1.0",
          "armv7l-unknown-linux-gnueabihf",
          "win32"
        ] do
      assert {:error, message} = Release.platform(system)
      assert message =~ "there is no release for #{system}"
    end
  end

  describe "a proxy" do
    test "gets the request, with the name and the password of the variable" do
      archive = archive()
      port = StubServer.start(fn _ -> {200, archive} end)
      put_variables(%{"HTTP_PROXY" => "http://ada:pass%20word@127.0.0.1:#{port}"})
      assert {:ok, _} = Release.program(release(port, archive, release_url: "http://releases.invalid/v1"))
      assert_received {:request, head}
      assert head =~ "GET http://releases.invalid/v1/#{@name}.tar.gz HTTP/1.1"
      assert String.downcase(head) =~ "proxy-authorization: basic "
      assert head =~ Base.encode64("ada:pass word")
    end

    test "is not used for the hosts of NO_PROXY" do
      archive = archive()
      port = StubServer.start(fn _ -> {200, archive} end)
      put_variables(%{"http_proxy" => "http://127.0.0.1:1", "no_proxy" => ".invalid, 127.0.0.1"})
      assert {:ok, _} = Release.program(release(port, archive))
      assert {:error, message} = Release.program(release(port, "other", release_url: "http://a.invalid"))
      assert message =~ "nxdomain"
    end
  end

  describe "over TLS" do
    setup %{tmp_dir: folder} do
      certificate = [digest: :sha256, key: {:namedCurve, :secp256r1}]
      name = [extensions: [{:Extension, {2, 5, 29, 17}, false, [dNSName: ~c"localhost"]}]]
      chain = %{root: certificate, intermediates: [], peer: certificate}

      pki =
        :public_key.pkix_test_data(%{server_chain: %{chain | peer: certificate ++ name}, client_chain: chain})

      authorities = for der <- pki.client_config[:cacerts], do: {:Certificate, der, :not_encrypted}
      file = Path.join(folder, "authorities.pem")
      File.write!(file, :public_key.pem_encode(authorities))
      archive = archive()
      port = StubServer.start(fn _ -> {200, archive} end, pki.server_config)
      {:ok, authorities: file, archive: archive, port: port}
    end

    test "the host must have a certificate of :cacerts_path", %{
      authorities: file,
      archive: archive,
      port: port
    } do
      settings = release(port, archive, release_url: "https://localhost:#{port}", cacerts_path: file)
      assert {:ok, _} = Release.program(settings)
    end

    test "a certificate that the system does not trust is refused", %{
      archive: archive,
      port: port,
      cache: cache
    } do
      assert {:error, message} =
               Release.program(release(port, archive, release_url: "https://localhost:#{port}"))

      assert message =~ "unknown_ca"
      refute_received {:request, _}
      assert_nothing_cached(cache)
    end

    test "a certificate of another name is refused", %{authorities: file, archive: archive, port: port} do
      settings = release(port, archive, release_url: "https://127.0.0.1:#{port}", cacerts_path: file)
      assert {:error, message} = Release.program(settings)
      assert message =~ "hostname_check_failed"
      refute_received {:request, _}
    end
  end

  @tag :program
  test "the fetched program runs" do
    archive = archive("#!/bin/sh\nexec '#{System.get_env("MIRROR_PROGRAM")}' \"$@\"\n")
    port = StubServer.start(fn _ -> {200, archive} end)
    put_variables(%{"PATH" => "/usr/bin:/bin"})

    log =
      capture_log(fn ->
        start_program(
          path: nil,
          release_url: "http://127.0.0.1:#{port}",
          checksums: %{@platform => sum(archive)}
        )
      end)

    assert log =~ "[info] liveview-mirror is fetched from http://127.0.0.1:#{port}/#{@name}.tar.gz"
    assert {200, _} = request(:get, LiveViewMirror.address() <> "/assets/tap.js")
  end
end
