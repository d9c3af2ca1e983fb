defmodule ShopWeb.CartLive do
  use Phoenix.Component

  # A function component with a slot, a class list, and strings.
  def card(assigns) do
    ~H"""
    <section id={"card-" <> @id} class="card">
      <div id={"body-#{@id}"} class={["card-body", "wide", @kind]} {@rest}>{render_slot(@inner_block)}</div>
      <footer :if={@footer != []}>{render_slot(@footer)}</footer>
    </section>
    """
  end

  def item(assigns) do
    ~H"""
    <li class={["row", "wide", @class]} id={@id} style={@style}>
      <span title={"#{@name}: { #{@price} }"}>{@name}</span> {@price} EUR
      <br />
    </li>
    """
  end

  def render(assigns) do
    ~H"""
    <%!-- Not in the page: {@secret} --%>
    <!-- in the page: {not_code} -->
    <main class="cart"   data-total={@total}>
      <h1>Cart   of {@name}: {length(@items)} item{if length(@items) == 1, do: "", else: "s"}</h1>
      <p
        :if={@total > 100}
        class="free"
      >
        Free shipping above {"#{100}"} EUR, {case @total do
          t when t > 200 -> "and a gift {for you}"
          _ -> "no gift"
        end}
      </p>
      <ul>
        <.item :for={item <- @items} :key={item.id} name={item.name} price={item.price} class="row" id={"i-#{item.id}"} style={nil} />
      </ul>
      <ol>
        <li :for={{item, index} <- Enum.with_index(@items)} :if={item.price > 1} data-index={index}>{index}. <b>{item.name}</b></li>
      </ol>
      <%= if @coupon do %>
        <p class="coupon">{@coupon} is valid</p>
      <% else %>
        <p class="coupon">No coupon, {@name}</p>
      <% end %>
      <%= for item <- @items do %>
        <i>{item.name}</i>, <%= item.price %>
      <% end %>
      <.card id="sum" kind={if @total > 100, do: "big"} rest={%{title: "t"}}>
        Sum <b>{@total}</b>
        <:footer>
          <small>for {@name}</small>
        </:footer>
      </.card>
      <p>{@a}</p><p>{@b}</p>
      <script>
        const limits = {"max": <%= @total %>}
      </script>
      <em phx-no-curly-interpolation>{raw} <%= @name %></em>
      <a href={"/items?a=1&b=#{@name}"} hidden={false}>{@name}</a>
    </main>
    """
  end
end
