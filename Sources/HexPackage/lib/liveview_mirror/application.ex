defmodule LiveViewMirror.Application do
  @moduledoc false
  use Application
  require Logger

  @impl true
  def start(_type, _args) do
    Supervisor.start_link(children(), strategy: :one_for_one)
  end

  defp children do
    case LiveViewMirror.Settings.read(Application.get_all_env(:liveview_mirror)) do
      {:ok, settings} ->
        [{LiveViewMirror.Program, settings}]

      :disabled ->
        []

      {:error, reason} ->
        Logger.error("liveview-mirror is not started: " <> reason)
        []
    end
  end
end
