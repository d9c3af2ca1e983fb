defmodule LiveViewMirror.Program do
  # Finds and runs the program, and stores the tap and the address in the environment while the program is ready.
  # The process ends with the program. It is not restarted: a port that is used, or a wrong flag, stays wrong.
  @moduledoc false
  use GenServer, restart: :temporary
  require Logger

  alias LiveViewMirror.{Release, Settings}

  # A port of Erlang closes the standard input of its program when the VM ends, also if the VM is killed. The program
  # does not read it, so a process of the shell does. That process sends SIGTERM for each line, and at the end of
  # the input. `$$` is the process of the first shell also in a subshell, and `exec` makes that process the program.
  @shell """
  exec 3<&0
  (while read -r line; do kill $$; done; kill $$) <&3 >/dev/null 2>&1 &
  exec "$@" 3<&- </dev/null
  """

  # How long the end of the VM waits for the program. When the standard input closes then, the program gets a second
  # SIGTERM, which ends it at once.
  @stop_within 2_000

  # The number of lines that an error message repeats.
  @most_lines 20

  @spec start_link(Settings.t()) :: GenServer.on_start()
  def start_link(settings), do: GenServer.start_link(__MODULE__, settings, name: __MODULE__)

  @impl true
  def init(settings) do
    forget()
    {:ok, %{settings: settings, port: nil, path: nil, lines: []}, {:continue, :run}}
  end

  # Not in `init/1`, so that a fetch does not delay the start of the app.
  @impl true
  def handle_continue(:run, state) do
    case find(state.settings) do
      {:ok, path} ->
        Process.flag(:trap_exit, true)
        {:noreply, %{state | path: path, port: run(path, state.settings)}}

      {:error, reason} ->
        Logger.error("liveview-mirror is not started: " <> reason)
        {:stop, :normal, state}
    end
  end

  @impl true
  def handle_info({port, {:data, {_, "liveview-mirror listens on " <> address}}}, %{port: port} = state) do
    remember(state.settings.url || address, state.settings.token)
    Logger.info("liveview-mirror shows this app's LiveViews at " <> LiveViewMirror.address())
    {:noreply, state}
  end

  def handle_info({port, {:data, {_, line}}}, %{port: port} = state) do
    # A line of the program's log begins with its time and its level. Any other line is about its end.
    case Regex.run(~r/\A\d{4}-\S+Z (\w+) (.*)\z/, line) do
      [_, level, message] ->
        Logger.log(level(level), "liveview-mirror: " <> message)
        {:noreply, state}

      nil ->
        {:noreply, %{state | lines: Enum.take([line | state.lines], @most_lines)}}
    end
  end

  def handle_info({port, {:exit_status, status}}, %{port: port} = state) do
    said = state.lines |> Enum.reverse() |> Enum.map_join(&("\n  " <> &1))
    Logger.error("liveview-mirror has ended: #{state.path} exited with #{status}.#{advice(status)}#{said}")
    {:stop, :normal, %{state | port: nil}}
  end

  def handle_info(_, state), do: {:noreply, state}

  @impl true
  def terminate(_reason, %{port: port}) do
    # By another process, because the application controller changes the environment, and it waits for this process
    # while the application stops.
    spawn(&forget/0)

    if port do
      # A message, because a call fails if the port has just closed.
      send(port, {self(), {:command, "stop\n"}})

      receive do
        {^port, {:exit_status, _}} -> :ok
      after
        @stop_within -> :ok
      end
    end
  end

  # The first program of the list in the documentation of `LiveViewMirror`.
  defp find(%{path: nil} = settings) do
    case System.find_executable("liveview-mirror") do
      nil -> Release.program(settings)
      path -> {:ok, path}
    end
  end

  defp find(%{path: path}) do
    # Without a slash, the name would be looked for on the PATH.
    case path |> Path.expand() |> System.find_executable() do
      nil ->
        {:error, "the setting :path names #{path}, which is not an executable file. Correct it, or remove it"}

      found ->
        {:ok, found}
    end
  end

  defp run(path, settings) do
    # A flag that is given again replaces the one before it, so `:args` has the last word on the level of the log.
    flags =
      ["serve", "--port", "#{settings.port}", "--log-level", "warning"] ++
        Enum.flat_map(settings.origins, &["--allow-origin", &1]) ++ settings.args

    environment = if settings.token, do: [{~c"MIRROR_TOKEN", String.to_charlist(settings.token)}], else: []

    Port.open({:spawn_executable, "/bin/sh"}, [
      :binary,
      :exit_status,
      :stderr_to_stdout,
      line: 65_536,
      env: environment,
      args: ["-c", @shell, "liveview-mirror", path | flags]
    ])
  end

  defp advice(69),
    do: " If another program has the port, set another one: config :liveview_mirror, port: 8081."

  defp advice(64), do: " Check :origins, :args, :token and the variables MIRROR_…."
  defp advice(_), do: " It starts again with the app."

  defp level(level) when level in ["error", "critical"], do: :error
  defp level("warning"), do: :warning
  defp level(level) when level in ["info", "notice"], do: :info
  defp level(_), do: :debug

  defp remember(address, token) do
    address = String.trim_trailing(address, "/")
    token = if token, do: ~s( data-token="#{escape(token)}"), else: ""
    tag = ~s(<script src="#{escape(address)}/assets/tap.js"#{token}></script>)
    Application.put_env(:liveview_mirror, :address, address)
    Application.put_env(:liveview_mirror, :tap, {:safe, tag})
  end

  defp forget do
    Application.delete_env(:liveview_mirror, :tap)
    Application.delete_env(:liveview_mirror, :address)
  end

  defp escape(text) do
    String.replace(text, ["&", "<", ">", "\"", "'"], &"&##{:binary.first(&1)};")
  end
end
