defmodule LiveViewMirror.MixProject do
  use Mix.Project

  def project do
    [
      app: :liveview_mirror,
      # Also the version of the program that is fetched.
      version: "0.1.0",
      elixir: "~> 1.14",
      elixirc_paths: if(Mix.env() == :test, do: ["lib", "test/support"], else: ["lib"]),
      description:
        "Shows a Phoenix developer what every LiveView diff changed: runs liveview-mirror with the app.",
      package: [
        licenses: ["Apache-2.0"],
        links: %{},
        files: ~w(lib mix.exs .formatter.exs README.md LICENSE)
      ],
      deps: []
    ]
  end

  def application do
    [mod: {LiveViewMirror.Application, []}, extra_applications: [:logger, :crypto, :inets, :public_key, :ssl]]
  end
end
