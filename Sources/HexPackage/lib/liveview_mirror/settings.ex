defmodule LiveViewMirror.Settings do
  # Reads the environment of the application, and the configuration of the endpoint.
  @moduledoc false

  @type t :: %{
          origins: [String.t()],
          port: :inet.port_number(),
          path: String.t() | nil,
          args: [String.t()],
          token: String.t() | nil,
          url: String.t() | nil,
          release_url: String.t() | nil,
          checksums: %{optional(String.t()) => String.t()},
          cacerts_path: String.t() | nil
        }

  @defaults %{
    enabled: nil,
    endpoint: nil,
    origins: [],
    port: 8080,
    path: nil,
    args: [],
    token: nil,
    url: nil,
    release_url: nil,
    checksums: %{},
    cacerts_path: nil
  }

  # Values that this application stores in its own environment.
  @stored [:tap, :address]

  @doc """
  Returns the settings with the origins of the endpoint; `:disabled` if the mirror does not run; or what is wrong.
  A setting that is `nil` counts as unset.
  """
  @spec read(keyword()) :: {:ok, t()} | :disabled | {:error, String.t()}
  def read(environment) do
    given = for {name, value} <- environment, value != nil, name not in @stored, do: {name, value}

    case for {name, value} <- given, not valid?(name, value), do: problem(name, value) do
      [] -> given |> Enum.into(@defaults) |> enable()
      problems -> {:error, Enum.join(problems, "; ")}
    end
  end

  defp enable(settings) do
    endpoint = configuration(settings.endpoint)

    cond do
      settings.enabled == false ->
        :disabled

      endpoint == nil ->
        {:error,
         "no application has a configuration of the :endpoint #{inspect(settings.endpoint)}; check its name"}

      not (settings.enabled || serves?(endpoint)) ->
        :disabled

      true ->
        allow(Enum.uniq(origins(endpoint) ++ settings.origins), settings)
    end
  end

  defp allow([], _) do
    {:error,
     "the origin of the app is not known; set :endpoint to a module whose configuration has a port, " <>
       "such as `config :liveview_mirror, endpoint: MyAppWeb.Endpoint`, or set :origins"}
  end

  defp allow(origins, settings), do: {:ok, %{settings | origins: origins, token: token(settings)}}

  defp configuration(nil), do: []

  # The application that configures an endpoint is loaded before its dependencies are started.
  defp configuration(endpoint) do
    Enum.find_value(Application.loaded_applications(), fn {app, _, _} ->
      configuration = Application.get_env(app, endpoint)
      if is_list(configuration), do: configuration
    end)
  end

  # The rule of `Phoenix.Endpoint.server?/2`. `mix phx.server` sets `:serve_endpoints`.
  defp serves?(endpoint) do
    Keyword.get_lazy(endpoint, :server, fn -> Application.get_env(:phoenix, :serve_endpoints, false) end)
  end

  defp origins([]), do: []

  # The origins under which a browser on this machine opens pages of the endpoint.
  defp origins(endpoint) do
    # The ports that Phoenix's adapters take by default.
    listeners =
      for {scheme, default} <- [http: 4000, https: 4040], is_list(endpoint[scheme]) do
        {Atom.to_string(scheme), number(endpoint[scheme][:port] || default)}
      end

    local = for {scheme, port} <- listeners, host <- ["localhost", "127.0.0.1"], do: {scheme, host, port}

    # As `Phoenix.Endpoint.url/0` makes it.
    {scheme, port} = List.last(listeners) || {"http", 80}
    url = endpoint[:url] || []
    public = {url[:scheme] || scheme, text(url[:host] || "localhost"), number(url[:port] || port)}

    for {scheme, host, port} <- local ++ [public],
        host != nil,
        port not in [nil, 0],
        do: origin(scheme, host, port)
  end

  # A browser leaves out the port that its scheme has by default.
  defp origin(scheme, host, port) when {scheme, port} in [{"http", 80}, {"https", 443}],
    do: "#{scheme}://#{host}"

  defp origin(scheme, host, port), do: "#{scheme}://#{host}:#{port}"

  # Phoenix accepts `{:system, variable}` for hosts and ports.
  defp text({:system, variable}), do: System.get_env(variable)
  defp text(value), do: value

  defp number(value) do
    with text when is_binary(text) <- text(value) do
      case Integer.parse(text) do
        {number, ""} -> number
        _ -> nil
      end
    end
  end

  defp token(%{token: nil}) do
    # The program, too, takes an empty variable for a missing one.
    case System.get_env("MIRROR_TOKEN") do
      "" -> nil
      token -> token
    end
  end

  defp token(%{token: token}), do: token

  defp valid?(:enabled, value), do: is_boolean(value)
  defp valid?(:endpoint, value), do: is_atom(value)
  defp valid?(:port, value), do: value in 0..65_535

  defp valid?(name, value) when name in [:origins, :args],
    do: is_list(value) and Enum.all?(value, &is_binary/1)

  defp valid?(:checksums, value), do: is_map(value) and Enum.all?(value, fn {_, sum} -> sum?(sum) end)
  defp valid?(name, value) when is_map_key(@defaults, name), do: is_binary(value) and value != ""
  defp valid?(_, _), do: false

  defp sum?(value), do: is_binary(value) and value =~ ~r/\A[0-9a-fA-F]{64}\z/

  defp problem(name, value) when is_map_key(@defaults, name) do
    # A token must not be in the log.
    value = if name == :token, do: "its value", else: inspect(value)
    "the setting #{inspect(name)} must be #{expected(name)}, and #{value} is not"
  end

  defp problem(name, _) do
    known = @defaults |> Map.keys() |> Enum.map_join(", ", &inspect/1)
    "there is no setting #{inspect(name)}; the settings are #{known}"
  end

  defp expected(:enabled), do: "true or false"
  defp expected(:endpoint), do: "a module, such as MyAppWeb.Endpoint"
  defp expected(:origins), do: ~s(a list of origins, such as ["http://localhost:4000"])
  defp expected(:args), do: ~s(a list of flags of `liveview-mirror serve`, such as ["--editor", "zed"])
  defp expected(:port), do: "a port from 0 to 65535"

  defp expected(:checksums),
    do: ~s(a map such as %{"linux-x86_64" => "…"}, with SHA-256 sums of 64 hex digits)

  defp expected(_), do: "a text that is not empty"
end
