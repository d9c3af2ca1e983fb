defmodule LiveViewMirror.Helpers do
  @moduledoc false
  alias LiveViewMirror.{Program, Settings}

  @doc "Complete settings of a mirror on a free port that runs the program under test."
  def settings(options \\ []) do
    defaults = [
      enabled: true,
      origins: ["http://localhost:4000"],
      port: 0,
      path: System.get_env("MIRROR_PROGRAM")
    ]

    {:ok, settings} = Settings.read(Keyword.merge(defaults, options))
    settings
  end

  @doc "Starts the program, and waits until it is ready."
  def start_program(options \\ []) do
    process = ExUnit.Callbacks.start_supervised!({Program, settings(options)})
    eventually(fn -> LiveViewMirror.address() end)
    process
  end

  @doc "Starts the program, waits until its process has ended by itself, and returns the log."
  def log_of_failure(options) do
    ExUnit.CaptureLog.capture_log(fn ->
      process = ExUnit.Callbacks.start_supervised!({Program, settings(options)})
      reference = Process.monitor(process)

      receive do
        {:DOWN, ^reference, _, _, _} -> :ok
      after
        10_000 -> raise "the program still runs"
      end
    end)
  end

  @doc "The process id of the program."
  def program_id(process) do
    {:os_pid, id} = Port.info(:sys.get_state(process).port, :os_pid)
    id
  end

  @doc "Whether a process of the system runs. A zombie has ended."
  def runs?(id) do
    case File.read("/proc/#{id}/stat") do
      {:ok, stat} -> not (stat =~ ~r/\) Z /)
      {:error, _} -> false
    end
  end

  @doc "Waits until the function returns a true value, at most ten seconds, and returns it."
  def eventually(function, attempts \\ 500) do
    cond do
      value = function.() ->
        value

      attempts == 0 ->
        raise "the condition is not met after ten seconds"

      true ->
        Process.sleep(20)
        eventually(function, attempts - 1)
    end
  end

  @doc "Makes a request, and returns the status and the body."
  def request(method, url, headers \\ [], body \\ nil) do
    headers = for {name, value} <- headers, do: {String.to_charlist(name), String.to_charlist(value)}
    url = String.to_charlist(url)
    request = if body, do: {url, headers, ~c"text/plain", body}, else: {url, headers}
    {:ok, {{_, status, _}, _, body}} = :httpc.request(method, request, [], body_format: :binary)
    {status, body}
  end

  @doc "Sets variables of the environment, and restores them at the end of the test."
  def put_variables(variables) do
    before = for {name, _} <- variables, do: {name, System.get_env(name)}

    ExUnit.Callbacks.on_exit(fn ->
      for {name, value} <- before,
          do: if(value, do: System.put_env(name, value), else: System.delete_env(name))
    end)

    System.put_env(variables)
  end
end
