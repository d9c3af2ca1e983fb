defmodule Mix.Tasks.LiveviewMirror.Install do
  @shortdoc "Prints what an app needs for liveview-mirror"

  @moduledoc """
  Prints what to add to `mix.exs`, to `config/dev.exs` and to the root layout, so that `liveview-mirror` runs with
  the app. It edits nothing.

      $ mix liveview_mirror.install

  The name of the endpoint is read from the configuration of the app, and the layout is looked for in `lib`. If one
  of them is not found, the text has the name that `mix phx.new` chooses. In an umbrella project, run the task in
  the app that has the endpoint.
  """
  use Mix.Task

  @impl true
  def run([]) do
    project = Mix.Project.config()
    app = project[:app] || :my_app
    endpoint = endpoint(app)

    Mix.shell().info("""
    An app needs these lines for liveview-mirror. This task has changed nothing.

    1. In mix.exs, the dependency, in development and tests only:

        #{dependency(project[:deps] || [])}

    2. In config/dev.exs, the endpoint whose pages the mirror accepts:

        config :liveview_mirror, endpoint: #{endpoint}

       If tests use a browser (`server: true`), also in config/test.exs:

        config :liveview_mirror, endpoint: #{endpoint}, port: 0

    3. In the head of #{layout(app)}, before app.js:

        {Application.get_env(:liveview_mirror, :tap)}

       In production, and whenever the mirror does not run, it renders nothing.

    Then start the app with `mix phx.server`. The log has the address of the mirror.
    """)
  end

  def run(_), do: Mix.raise("mix liveview_mirror.install takes no arguments")

  # The line of mix.exs with its source, if it is there.
  defp dependency(deps) do
    {source, options} =
      case Enum.find(deps, &(elem(&1, 0) == :liveview_mirror)) do
        {_, options} when is_list(options) -> {[], options}
        {_, version} -> {[inspect(version)], []}
        {_, version, options} -> {[inspect(version)], options}
        # Not published on Hex yet.
        nil -> {[], path: "../liveview-mirror/Sources/HexPackage"}
      end

    options =
      for {name, value} <- Keyword.delete(options, :only) ++ [only: [:dev, :test]],
          do: "#{name}: #{inspect(value)}"

    "{#{Enum.join([":liveview_mirror"] ++ source ++ options, ", ")}}"
  end

  # The key of the app's environment that is an endpoint, as in `config :my_app, MyAppWeb.Endpoint`.
  defp endpoint(app) do
    names = for {key, value} <- Application.get_all_env(app), is_list(value), do: inspect(key)

    Enum.find(names, "#{Macro.camelize("#{app}")}Web.Endpoint", &String.ends_with?(&1, ".Endpoint"))
  end

  defp layout(app) do
    case Path.wildcard("lib/**/root.html.heex") do
      [path | _] -> path
      [] -> "lib/#{app}_web/components/layouts/root.html.heex"
    end
  end
end
