defmodule Mix.Tasks.LiveviewMirror.InstallTest do
  # Makes an app that has this package as a dependency, and runs Mix in it as a developer does.
  use ExUnit.Case
  @moduletag :tmp_dir
  @moduletag timeout: 180_000

  @package Path.expand("..", __DIR__)

  @files %{
    "mix.exs" => """
    defmodule Shop.MixProject do
      use Mix.Project

      def project do
        [app: :shop, version: "1.0.0", deps: [{:liveview_mirror, path: #{inspect(@package)}, only: [:dev, :test]}]]
      end

      def application, do: [extra_applications: [:logger]]
    end
    """,
    "config/config.exs" => """
    import Config
    config :shop, Storefront.OldEndpoint, []
    config :shop, Storefront.Endpoint, url: [host: "localhost"], http: [port: 4000]
    if config_env() == :dev, do: import_config("dev.exs")
    """,
    "config/dev.exs" => """
    import Config
    """,
    "lib/shop_web/layouts/root.html.heex" => "<head></head>\n"
  }

  setup %{tmp_dir: folder} do
    for {name, text} <- @files do
      path = Path.join(folder, name)
      File.mkdir_p!(Path.dirname(path))
      File.write!(path, text)
    end

    :ok
  end

  # The output of Mix in the app.
  defp mix(folder, environment, arguments) do
    variables = [{"MIX_ENV", environment}, {"MIX_EXS", nil}, {"MIX_BUILD_PATH", nil}]
    {output, status} = System.cmd("mix", arguments, cd: folder, env: variables, stderr_to_stdout: true)
    assert status == 0, output
    output
  end

  # Every file of the app with its content, except for those that the compiler writes.
  defp files(folder) do
    for path <- Path.wildcard(folder <> "/**", match_dot: true),
        File.regular?(path),
        not String.starts_with?(path, folder <> "/_build"),
        into: %{},
        do: {path, File.read!(path)}
  end

  test "the task prints what to add, with the names of the app, and edits nothing", %{tmp_dir: folder} do
    mix(folder, "dev", ["compile"])
    before = files(folder)
    output = mix(folder, "dev", ["liveview_mirror.install"])
    assert files(folder) == before

    assert output =~ "{:liveview_mirror, path: #{inspect(@package)}, only: [:dev, :test]}\n"
    assert output =~ "config :liveview_mirror, endpoint: Storefront.Endpoint\n"
    assert output =~ "In the head of lib/shop_web/layouts/root.html.heex, before app.js:"
    assert output =~ "{Application.get_env(:liveview_mirror, :tap)}\n"
  end

  test "the task refuses arguments", %{tmp_dir: folder} do
    {output, status} =
      System.cmd("mix", ["liveview_mirror.install", "--yes"], cd: folder, stderr_to_stdout: true)

    assert status == 1
    assert output =~ "mix liveview_mirror.install takes no arguments"
  end

  test "the printed line renders nothing in production, and compiles there without a warning", %{
    tmp_dir: folder
  } do
    output = mix(folder, "dev", ["liveview_mirror.install"])
    [_, expression] = Regex.run(~r/^ +\{(Application\..*)\}$/m, output)

    File.write!(
      Path.join(folder, "lib/layout.ex"),
      "defmodule Layout do\n  def tap, do: #{expression}\nend\n"
    )

    mix(folder, "prod", ["compile", "--warnings-as-errors"])
    code = "IO.inspect({Layout.tap(), Code.ensure_loaded?(LiveViewMirror)})"
    assert mix(folder, "prod", ["run", "-e", code]) =~ "{nil, false}"
    # In development, the mirror does not run in `mix run`, because the endpoint does not serve pages.
    assert mix(folder, "dev", ["run", "-e", code]) =~ "{nil, true}"
  end

  @tag :program
  test "the mirror runs with an app that serves pages", %{tmp_dir: folder} do
    File.write!(Path.join(folder, "config/dev.exs"), """
    import Config
    config :shop, Storefront.Endpoint, server: true
    config :liveview_mirror, endpoint: Storefront.Endpoint, port: 0, path: #{inspect(System.get_env("MIRROR_PROGRAM"))}
    """)

    code = """
    wait = fn wait -> LiveViewMirror.address() || (Process.sleep(20) && wait.(wait)) end
    wait.(wait)
    IO.inspect(LiveViewMirror.tap())
    """

    output = mix(folder, "dev", ["run", "-e", code])
    assert output =~ ~r/\[info\]\s+liveview-mirror shows this app's LiveViews at http:\/\/127.0.0.1:\d+/
    assert output =~ ~r/\{:safe, .*assets\/tap.js/
  end

  test "an app starts without a program, and the log says what to do", %{tmp_dir: folder} do
    File.write!(Path.join(folder, "config/dev.exs"), """
    import Config
    config :shop, Storefront.Endpoint, server: true
    config :liveview_mirror, endpoint: Storefront.Endpoint, path: "/missing"
    """)

    output = mix(folder, "dev", ["run", "-e", "Process.sleep(200); IO.puts(\"the app runs\")"])
    assert output =~ "the setting :path names /missing, which is not an executable file"
    assert output =~ "the app runs"
  end
end
