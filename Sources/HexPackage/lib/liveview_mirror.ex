defmodule LiveViewMirror do
  @moduledoc """
  Runs `liveview-mirror` with a Phoenix app in development. The mirror shows what every LiveView diff changed, and why.

  `mix liveview_mirror.install` prints the three things that an app needs:

      # mix.exs
      {:liveview_mirror, path: "../liveview-mirror/Sources/HexPackage", only: [:dev, :test]}

      # config/dev.exs
      config :liveview_mirror, endpoint: MyAppWeb.Endpoint

      # root.html.heex, in the head, before app.js
      {Application.get_env(:liveview_mirror, :tap)}

  When the app starts its web server, this application starts the program, allows the origins of the endpoint, and
  logs the address of the mirror:

      [info] liveview-mirror shows this app's LiveViews at http://127.0.0.1:8080

  The program ends with the VM, also if the VM is killed.

  ## When the mirror runs

  With `:endpoint`, the mirror runs if that endpoint serves pages, by the rule of `Phoenix.Endpoint.server?/2`. So
  it runs in `mix phx.server`, and in tests with `server: true`. It does not run in `mix ecto.migrate`, or in tests
  without a web server. `enabled: true` and `enabled: false` replace this rule.

  In production the dependency and its configuration are missing. The line of the layout then renders nothing,
  because it reads the environment and names no module.

  ## Settings

    * `:endpoint` - the module of the app's endpoint. The mirror allows `http://localhost:PORT` and
      `http://127.0.0.1:PORT` with the port of its `:http` (`https` with that of its `:https`), and the origin of
      its `:url`. They are read from the configuration, so the endpoint need not be running yet.
    * `:origins` - a list of further origins of the app, such as `["http://shop.test:4000"]`.
    * `:enabled` - `true` or `false`; by default whether the endpoint serves pages.
    * `:port` - the port of the mirror, by default 8080; 0 takes a free one.
    * `:path` - the path of the program.
    * `:args` - further flags of `liveview-mirror serve`, such as `["--editor", "zed"]`.
    * `:token` - the token that the mirror requires from every client; by default that of `MIRROR_TOKEN`. The
      program gets it in its environment, because other users can see the flags of a process.
    * `:url` - the address of the mirror for the browser, if the browser does not reach the address that the program
      prints: in a container, or with `--address 0.0.0.0`.
    * `:release_url`, `:checksums`, `:cacerts_path` - where the program is fetched from, see below.

  An invalid setting is logged as an error, and the mirror does not run.

  ## The program

  It is the first of these:

    1. the program at `:path`;
    2. `liveview-mirror` on the `PATH`;
    3. an archive of the release of this package's version, fetched once for each user:

           config :liveview_mirror,
             release_url: "https://releases.example/liveview-mirror",
             checksums: %{"linux-x86_64" => "9f86d081884c7d65…", "linux-arm64" => "60303ae22b998861…"}

       The archive is `RELEASE_URL/liveview-mirror-VERSION-PLATFORM.tar.gz`. Its SHA-256 must be that of
       `:checksums`; otherwise it is not unpacked. It is unpacked in the user's cache folder
       (`:filename.basedir(:user_cache, "liveview-mirror")`), in a folder that is named for the checksum. The
       certificate of the host must be signed by an authority that the system trusts or, if it is set, by one in the
       file `:cacerts_path`, which is needed before OTP 25. The variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`
       apply.

  ## Errors

  The app starts and runs without the mirror too. Each of these is logged as an error that says what to do: an
  invalid setting, no program, a fetch that failed, a port that is used, a program that has ended. `tap/0` then
  renders nothing. The program is not started again until the app is.
  """

  @doc """
  Returns the tap for a layout: the script that sends the page's LiveView frames to the mirror.

      iex> LiveViewMirror.tap()
      {:safe, ~s(<script src="http://127.0.0.1:8080/assets/tap.js"></script>)}

  If the mirror does not run, or does not run yet, the value is `{:safe, ""}`.

  A layout reads the same value with `Application.get_env(:liveview_mirror, :tap)`. A call of this function would be
  a compiler warning in production, where this module does not exist.
  """
  @spec tap() :: {:safe, iodata()}
  def tap, do: Application.get_env(:liveview_mirror, :tap, {:safe, ""})

  @doc """
  Returns the address of the mirror, such as `"http://127.0.0.1:8080"`, or `nil` if it does not run (yet).
  """
  @spec address() :: String.t() | nil
  def address, do: Application.get_env(:liveview_mirror, :address)
end
