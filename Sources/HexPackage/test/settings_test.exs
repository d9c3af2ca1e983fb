defmodule LiveViewMirror.SettingsTest do
  use ExUnit.Case
  import LiveViewMirror.Helpers
  alias LiveViewMirror.Settings

  # A stub: the package reads the configuration of an endpoint, and calls no function of it. Any loaded application
  # can have the configuration.
  @endpoint ShopWeb.Endpoint

  defp configure(configuration) do
    Application.put_env(:logger, @endpoint, configuration)
    on_exit(fn -> Application.delete_env(:logger, @endpoint) end)
  end

  defp origins(configuration, options \\ []) do
    configure(configuration)
    {:ok, settings} = Settings.read([enabled: true, endpoint: @endpoint] ++ options)
    settings.origins
  end

  describe "the origins of an endpoint" do
    test "have the port of http, with both names of this machine" do
      assert origins(url: [host: "localhost"], http: [ip: {127, 0, 0, 1}, port: 4001]) ==
               ["http://localhost:4001", "http://127.0.0.1:4001"]
    end

    test "have Phoenix's default ports" do
      assert origins(http: [ip: {127, 0, 0, 1}]) == ["http://localhost:4000", "http://127.0.0.1:4000"]
      assert "https://localhost:4040" in origins(https: [certfile: "x"])
    end

    test "have the scheme, host and port of the url" do
      assert "http://shop.test:4000" in origins(url: [host: "shop.test"], http: [port: 4000])

      assert "https://shop.test" in origins(
               url: [scheme: "https", host: "shop.test", port: 443],
               http: [port: 4000]
             )

      assert "https://shop.test:4001" in origins(
               url: [host: "shop.test"],
               http: [port: 4000],
               https: [port: 4001]
             )
    end

    test "leave out the port that the scheme has by default" do
      assert origins(http: [port: 80]) == ["http://localhost", "http://127.0.0.1"]
    end

    test "have ports as texts and from variables" do
      put_variables(%{"SHOP_PORT" => "4007"})
      assert "http://localhost:4006" in origins(http: [port: "4006"])
      assert "http://localhost:4007" in origins(http: [port: {:system, "SHOP_PORT"}])
    end

    test "do not have a port that is not known before the start" do
      assert origins([http: [port: 0]], origins: ["http://shop.test"]) == ["http://shop.test"]
      assert origins(http: [:inet6, port: 4000]) == ["http://localhost:4000", "http://127.0.0.1:4000"]
    end

    test "are followed by those of the setting, each once" do
      assert origins([http: [port: 4000]], origins: ["http://127.0.0.1:4000", "http://10.0.0.7:4000"]) ==
               ["http://localhost:4000", "http://127.0.0.1:4000", "http://10.0.0.7:4000"]
    end
  end

  describe "the mirror runs" do
    test "if the endpoint serves pages" do
      configure(http: [port: 4000], server: true)
      assert {:ok, %{port: 8080}} = Settings.read(endpoint: @endpoint)
    end

    test "in mix phx.server, which sets serve_endpoints" do
      configure(http: [port: 4000])
      assert Settings.read(endpoint: @endpoint) == :disabled
      Application.put_env(:phoenix, :serve_endpoints, true)
      on_exit(fn -> Application.delete_env(:phoenix, :serve_endpoints) end)
      assert {:ok, _} = Settings.read(endpoint: @endpoint)
      assert {:ok, _} = Settings.read(origins: ["http://shop.test"])
      configure(http: [port: 4000], server: false)
      assert Settings.read(endpoint: @endpoint) == :disabled
    end

    test "by its own setting, if there is one" do
      configure(http: [port: 4000], server: true)
      assert Settings.read(endpoint: @endpoint, enabled: false) == :disabled
      configure(http: [port: 4000], server: false)
      assert {:ok, _} = Settings.read(endpoint: @endpoint, enabled: true)
    end

    test "in no app without settings" do
      assert Settings.read([]) == :disabled
      assert Settings.read(origins: ["http://shop.test"]) == :disabled
    end
  end

  describe "an error" do
    test "names the setting, the value and what is expected" do
      assert Settings.read(port: 80_000) ==
               {:error, "the setting :port must be a port from 0 to 65535, and 80000 is not"}

      assert {:error, message} = Settings.read(prot: 8080)
      assert message =~ "there is no setting :prot; the settings are :args, "
    end

    test "names every invalid setting, and no token" do
      invalid = [
        enabled: 1,
        endpoint: "x",
        origins: "http://localhost:4000",
        args: [1],
        path: "",
        token: 12_345_678
      ]

      assert {:error, message} = Settings.read(invalid ++ [checksums: %{"linux-x86_64" => "12"}])
      for {name, _} <- invalid, do: assert(message =~ "the setting #{inspect(name)} must be ")
      assert message =~ "the setting :checksums must be "
      refute message =~ "12345678"
    end

    test "says that the origin of the app is not known" do
      assert {:error, message} = Settings.read(enabled: true)
      assert message =~ "the origin of the app is not known; set :endpoint"
      configure(http: [port: 0])
      assert {:error, ^message} = Settings.read(enabled: true, endpoint: @endpoint)
    end

    test "says that the endpoint has no configuration, unless the mirror is disabled" do
      assert {:error, message} = Settings.read(endpoint: ShopWeb.Endpiont)
      assert message =~ "no application has a configuration of the :endpoint ShopWeb.Endpiont; check its name"
      assert Settings.read(endpoint: ShopWeb.Endpiont, enabled: false) == :disabled
    end
  end

  test "nil counts as unset, and so do the values that the application stores" do
    assert {:ok, %{path: nil, port: 8080}} =
             Settings.read(
               enabled: true,
               origins: ["http://a.test"],
               path: nil,
               port: nil,
               tap: {:safe, ""},
               address: "x"
             )
  end

  test "the token is that of MIRROR_TOKEN, unless it is set" do
    put_variables(%{"MIRROR_TOKEN" => "from-variable"})
    assert settings().token == "from-variable"
    assert settings(token: "from-setting").token == "from-setting"
    put_variables(%{"MIRROR_TOKEN" => ""})
    assert settings().token == nil
  end
end
