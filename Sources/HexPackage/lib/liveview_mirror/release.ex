defmodule LiveViewMirror.Release do
  # Fetches the program of this version, once for each user.
  @moduledoc false
  require Logger

  alias LiveViewMirror.Settings

  @version Mix.Project.config()[:version]

  # The architectures of the releases, by their names in Erlang.
  @architectures %{"x86_64" => "x86_64", "amd64" => "x86_64", "aarch64" => "arm64", "arm64" => "arm64"}

  # The name of the HTTP client.
  @client :liveview_mirror

  @connect_within 15_000
  @fetch_within 600_000

  @doc """
  Returns the path of the program in the user's cache, and fetches it if it is not there. The folder in the cache is
  named for the checksum, so a program is only used with the checksum that its archive had.
  """
  @spec program(Settings.t()) :: {:ok, Path.t()} | {:error, String.t()}
  def program(settings) do
    with {:ok, platform} <- platform(to_string(:erlang.system_info(:system_architecture))),
         {:ok, checksum} <- checksum(settings, platform) do
      name = "liveview-mirror-#{@version}-#{platform}"
      folder = Path.join(cache(), checksum)
      program = Path.join([folder, name, "liveview-mirror"])
      url = "#{String.trim_trailing(settings.release_url, "/")}/#{name}.tar.gz"

      if File.regular?(program) do
        {:ok, program}
      else
        with {:ok, archive} <- fetch(url, settings),
             :ok <- verify(archive, checksum, url),
             :ok <- unpack(archive, folder, Path.relative_to(program, folder), url),
             do: {:ok, program}
      end
    end
  end

  @doc """
  The platform of the archive, such as `linux-x86_64`, for an architecture as Erlang names it
  (`x86_64-pc-linux-gnu`).
  """
  @spec platform(String.t()) :: {:ok, String.t()} | {:error, String.t()}
  def platform(system) do
    architecture = @architectures[system |> String.split("-") |> hd()]

    if architecture && system =~ "-linux" && not (system =~ "musl") do
      {:ok, "linux-" <> architecture}
    else
      {:error,
       "there is no release for #{system}, only for Linux with glibc on x86_64 and arm64. " <> by_hand()}
    end
  end

  defp checksum(%{release_url: nil}, _) do
    {:error,
     ":path is not set, liveview-mirror is not on the PATH, and :release_url is not set, so there is no program. " <>
       by_hand()}
  end

  defp checksum(settings, platform) do
    case settings.checksums do
      %{^platform => checksum} ->
        {:ok, String.downcase(checksum)}

      _ ->
        {:error,
         "the SHA-256 of the archive for #{platform} is not set, so it is not fetched: " <>
           "config :liveview_mirror, checksums: %{#{inspect(platform)} => \"…\"}"}
    end
  end

  defp by_hand do
    "Build the program (script/package in its repository makes its archive), and name it: " <>
      "config :liveview_mirror, path: \"/path/to/liveview-mirror\""
  end

  defp cache, do: :user_cache |> :filename.basedir("liveview-mirror") |> to_string()

  defp fetch(url, settings) do
    Logger.info("liveview-mirror is fetched from #{url}")
    # A client of its own, because the proxy is a setting of the client and not of the request.
    {:ok, _} = :inets.start(:httpc, profile: @client)

    try do
      address = URI.parse(url)
      with :ok <- use_proxy(address), {:ok, tls} <- tls(address, settings), do: request(url, tls)
    after
      :inets.stop(:httpc, @client)
    end
  end

  defp request(url, tls) do
    options =
      [timeout: @fetch_within, connect_timeout: @connect_within, ssl: tls] ++ proxy_auth(URI.parse(url))

    case :httpc.request(:get, {String.to_charlist(url), []}, options, [body_format: :binary], @client) do
      {:ok, {{_, 200, _}, _, body}} -> {:ok, body}
      {:ok, {{_, status, _}, _, _}} -> {:error, "#{url} responds with status #{status}. Check :release_url"}
      {:error, reason} -> {:error, "#{url} cannot be fetched: #{inspect(reason)}. " <> by_hand()}
    end
  end

  defp use_proxy(url) do
    case proxy(url) do
      %{host: host, port: port} ->
        exceptions =
          for name <- String.split(variable("no_proxy") || "", ",", trim: true),
              do: no_proxy(String.trim(name))

        option = if url.scheme == "https", do: :https_proxy, else: :proxy
        :httpc.set_options([{option, {{String.to_charlist(host), port}, exceptions}}], @client)

      nil ->
        :ok
    end
  end

  defp proxy(url) do
    proxy = URI.parse(variable("#{url.scheme}_proxy") || "")
    if proxy.host not in [nil, ""] and proxy.port != nil, do: proxy
  end

  # httpc's spelling of a domain with all its subdomains is `*.domain`.
  defp no_proxy("." <> domain), do: String.to_charlist("*." <> domain)
  defp no_proxy(host), do: String.to_charlist(host)

  defp proxy_auth(url) do
    with %{userinfo: user} when user != nil <- proxy(url),
         [name, password] <- String.split(user, ":", parts: 2) do
      [proxy_auth: {decoded(name), decoded(password)}]
    else
      _ -> []
    end
  end

  defp decoded(text), do: text |> URI.decode() |> String.to_charlist()

  # An empty variable counts as unset.
  defp variable(name) do
    Enum.find_value([String.upcase(name), name], fn name ->
      value = System.get_env(name)
      if value not in [nil, ""], do: value
    end)
  end

  defp tls(%{scheme: "https"}, settings) do
    case authorities(settings) do
      {:ok, authorities} ->
        names = [match_fun: :public_key.pkix_verify_hostname_match_fun(:https)]
        {:ok, [authorities, verify: :verify_peer, depth: 10, customize_hostname_check: names]}

      :error ->
        {:error,
         "the system has no certificates that Erlang can read; name a file: config :liveview_mirror, cacerts_path: \"…\""}
    end
  end

  defp tls(_, _), do: {:ok, []}

  defp authorities(%{cacerts_path: nil}) do
    # Since OTP 25. It raises if there are none.
    {:ok, {:cacerts, :public_key.cacerts_get()}}
  rescue
    _ -> :error
  end

  defp authorities(%{cacerts_path: path}), do: {:ok, {:cacertfile, String.to_charlist(path)}}

  defp verify(archive, checksum, url) do
    case :sha256 |> :crypto.hash(archive) |> Base.encode16(case: :lower) do
      ^checksum ->
        :ok

      other ->
        {:error,
         "#{url} has the SHA-256 #{other} instead of #{checksum}, so it is not used. Check :checksums and :release_url"}
    end
  end

  # Unpacks beside the folder, and renames then. So the folder is complete or missing, also if two VMs do this at
  # the same time.
  defp unpack(archive, folder, program, url) do
    unpacked = "#{folder}.#{Base.encode16(:crypto.strong_rand_bytes(8))}"

    try do
      with :ok <- File.mkdir_p(unpacked),
           :ok <- :erl_tar.extract({:binary, archive}, [:compressed, cwd: String.to_charlist(unpacked)]),
           {:program, true} <- {:program, File.regular?(Path.join(unpacked, program))},
           :ok <- rename(unpacked, folder) do
        :ok
      else
        {:program, false} -> {:error, "#{url} does not contain #{program}. Check :release_url and :checksums"}
        {:error, reason} -> {:error, "#{url} cannot be unpacked in #{cache()}: #{inspect(reason)}"}
      end
    after
      File.rm_rf(unpacked)
    end
  end

  # Another VM may have been faster.
  defp rename(unpacked, folder) do
    with {:error, reason} when reason in [:eexist, :enotempty] <- File.rename(unpacked, folder), do: :ok
  end
end
