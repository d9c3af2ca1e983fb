import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// The HTML that each native element is drawn as.
@Suite struct NativeViewTests {
  @Test(arguments: [
    // Stacks
    ("<VStack>a</VStack>", #"<div class="vstack">a</div>"#),
    (
      #"<LazyVStack alignment="leading" spacing="8"></LazyVStack>"#,
      #"<div class="vstack align-leading" style="gap:8px"></div>"#
    ),
    (
      #"<HStack alignment="firstTextBaseline" spacing="2.5"></HStack>"#,
      #"<div class="hstack align-firstTextBaseline" style="gap:2.5px"></div>"#
    ),
    ("<LazyHStack/>", #"<div class="hstack"></div>"#),
    (#"<ZStack alignment="topLeading" spacing="8"/>"#, #"<div class="zstack align-topLeading"></div>"#),
    ("<Spacer/>", #"<div class="spacer"></div>"#),
    (#"<Spacer minLength="20"/>"#, #"<div class="spacer" style="min-width:20px;min-height:20px"></div>"#),
    ("<Divider>lost</Divider>", #"<hr class="divider">"#),
    ("<Group>a<!-- b -->c</Group>", #"<div class="group">ac</div>"#),
    (
      "<Grid><GridRow><Text>1</Text>2</GridRow></Grid>",
      """
      <div class="grid"><div class="grid-row"><div class="grid-cell"><span class="text">1</span></div>\
      <div class="grid-cell">2</div></div></div>
      """
    ),
    (
      #"<LazyVGrid columns="3"/>"#,
      #"<div class="lazy-grid" style="grid-template-columns:repeat(3,minmax(0,1fr))"></div>"#
    ),
    (
      #"<LazyHGrid rows='[{"a":"],\""},[1,2]]' spacing="0"/>"#,
      """
      <div class="lazy-grid flows-across" style="gap:0px;grid-template-rows:repeat(2,auto)"></div>
      """
    ),

    // Texts and images
    (#"<Text verbatim="a"/>"#, #"<span class="text">a</span>"#),
    (#"<Text markdown="**a**">b</Text>"#, #"<span class="text">**a**b</span>"#),
    (
      #"<Text font="title2" bold italic="false" strikethrough>a<Text>b</Text></Text>"#,
      #"<span class="text font-title2 bold strikethrough">a<span class="text">b</span></span>"#
    ),
    (
      #"<Label title="Stars" systemImage="star.fill"/>"#,
      """
      <span class="label"><span class="symbol" role="img" title="star.fill">★\u{FE0E}</span>\
      <span class="label-title">Stars</span></span>
      """
    ),
    (
      #"<Label><Text template="title">T</Text><Image template="icon" name="logo"/></Label>"#,
      """
      <span class="label"><span class="image"><span class="asset" role="img" title="logo">logo</span></span>\
      <span class="label-title"><span class="text">T</span></span></span>
      """
    ),
    (
      #"<Image systemName="figure.walk"/>"#,
      #"<span class="image"><span class="symbol named" role="img" title="figure.walk">figure.walk</span></span>"#
    ),
    (
      #"<AsyncImage url="https://example.com/a?b=1&c=2"><Text template="phase">x</Text></AsyncImage>"#,
      """
      <span class="async-image"><img src="https://example.com/a?b=1&amp;c=2" referrerpolicy="no-referrer" alt="Image">\
      <span class="text">x</span></span>
      """
    ),
    (#"<Link destination="/x">a</Link>"#, #"<a class="link" href="/x">a</a>"#),
    ("<Link>a</Link>", #"<span class="link" role="link">a</span>"#),
    (
      #"<NavigationLink destination="/x"><Link destination="/y">a</Link></NavigationLink>"#,
      #"<a class="navigation-link" href="/x"><span class="link" role="link">a</span></a>"#
    ),

    // Controls
    (
      #"<Button phx-click="dec" phx-target="7" phx-value-id="6" phx-value-b="x" disabled>-</Button>"#,
      """
      <div class="button" role="button" aria-disabled="true" data-phx-click="dec" data-phx-target="7" \
      data-phx-values="id=6 b=x">-</div>
      """
    ),
    (
      #"<Button role="destructive" disabled="false">x</Button>"#,
      #"<div class="button destructive" role="button">x</div>"#
    ),
    (
      #"<Toggle isOn phx-change="toggle">a</Toggle>"#,
      """
      <label class="control toggle" data-phx-change="toggle"><span class="control-label">a</span>\
      <input class="switch" role="switch" type="checkbox" checked=""></label>
      """
    ),
    (
      #"<Toggle isOn="false" disabled/>"#,
      """
      <label class="control toggle">\
      <input class="switch" role="switch" aria-label="Toggle" type="checkbox" disabled=""></label>
      """
    ),
    (
      #"<TextField text="a" prompt="b">c</TextField>"#,
      """
      <label class="control field"><span class="control-label">c</span>\
      <input class="input" type="text" value="a" placeholder="b" readonly=""></label>
      """
    ),
    (
      #"<TextField axis="vertical" value="a&lt;b"/>"#,
      #"<label class="control field"><textarea class="input" aria-label="Text" readonly="">a&lt;b</textarea></label>"#
    ),
    (
      #"<SecureField text="secret" placeholder="p" disabled/>"#,
      """
      <label class="control field">\
      <input class="input" aria-label="p" type="password" value="••••••••" placeholder="p" disabled="" readonly=""></label>
      """
    ),
    (
      "<TextEditor text=\"\na\"/>",
      "<label class=\"control field\"><textarea class=\"input\" aria-label=\"Text\" readonly=\"\">\n\na</textarea></label>"
    ),
    (
      #"<Slider value="3" lowerBound="-1" upperBound="10" step="2"><Text template="label">V</Text></Slider>"#,
      """
      <label class="control slider"><span class="control-label"><span class="text">V</span></span>\
      <span class="range"><input type="range" min="-1" max="10" step="2" value="3"></span></label>
      """
    ),
    (
      #"<Stepper value="4">Q</Stepper>"#,
      """
      <label class="control stepper"><span class="control-label">Q</span><span class="range">\
      <span class="step down">−</span><output class="value">4</output><span class="step up">+</span></span></label>
      """
    ),
    (
      #"<ProgressView value="0.4" total="2"><Text template="currentValueLabel">20 %</Text></ProgressView>"#,
      """
      <label class="control progress"><span class="range">\
      <progress aria-label="Progress" max="2" value="0.4"></progress></span>\
      <span class="current"><span class="text">20 %</span></span></label>
      """
    ),
    (
      #"<ProgressView title="Wait"/>"#,
      """
      <label class="control progress"><span class="control-label">Wait</span><span class="range">\
      <progress max="1"></progress></span></label>
      """
    ),
    (
      #"<Gauge value="60" max="100"><Text template="minimumValueLabel">0</Text></Gauge>"#,
      """
      <label class="control gauge"><span class="range">\
      <span class="bound"><span class="text">0</span></span><meter aria-label="Gauge" min="0" max="100" \
      value="60"></meter></span></label>
      """
    ),
    (
      #"<Picker selection="b"><Text template="label">P</Text><Text tag="a">A</Text><Text tag="b">B</Text>x</Picker>"#,
      """
      <div class="control picker"><span class="control-label"><span class="text">P</span></span>\
      <div class="choices" role="listbox" aria-label="Choices">\
      <div class="choice" role="option" aria-selected="false" data-mirror-choice="a"><span class="text">A</span></div>\
      <div class="choice" role="option" aria-selected="true" data-mirror-choice="b"><span class="text">B</span></div></div><div class="choices">x</div></div>
      """
    ),
    (
      #"<Picker selection="c"><Text tag="a">A</Text></Picker>"#,
      """
      <div class="control picker"><div class="choices" role="listbox" aria-label="Choices">\
      <div class="choice" role="option" aria-selected="false" data-mirror-choice="a"><span class="text">A</span></div></div></div>
      """
    ),
    (
      #"<Picker selection="a"><Text template="currentValueLabel">One</Text></Picker>"#,
      """
      <div class="control picker"><output class="value"><span class="text">One</span></output></div>
      """
    ),
    (
      "<Slider><!-- nothing to see --></Slider>",
      """
      <label class="control slider"><span class="range">\
      <input aria-label="Slider" type="range" min="0" max="1" step="0.01" value="0"></span></label>
      """
    ),
    (
      #"<Slider total="4">T</Slider>"#,
      """
      <label class="control slider"><span class="control-label">T</span><span class="range">\
      <input type="range" min="0" max="4" step="0.04" value="0"></span></label>
      """
    ),
    (#"<DatePicker selection="x"/>"#, #"<div class="control date-picker"><output class="value">x</output></div>"#),
    (
      #"<DatePicker selection="2026-11-21">D</DatePicker>"#,
      """
      <div class="control date-picker"><span class="control-label">D</span>\
      <output class="value">2026-11-21</output></div>
      """
    ),
    (
      #"<ColorPicker title="C" disabled/>"#,
      """
      <div class="control color-picker" aria-disabled="true"><span class="control-label">C</span>\
      <output class="value">—</output></div>
      """
    ),
    (
      #"<Menu><Text template="label">M</Text><Button>a</Button></Menu>"#,
      """
      <details class="menu"><summary class="summary" data-mirror-choice=""><span class="text">M</span></summary>\
      <div class="disclosed"><div class="button" role="button">a</div></div></details>
      """
    ),

    // Shapes
    (#"<Rectangle fill="red"/>"#, #"<div class="shape fill-red"></div>"#),
    (#"<RoundedRectangle fill="mint"/>"#, #"<div class="shape rounded fill-mint"></div>"#),
    ("<Circle/>", #"<div class="shape circle"></div>"#),
    (#"<VStack fill="red"/>"#, #"<div class="vstack"></div>"#),

    // Containers
    (
      #"<List id="l"><Text>a</Text></List>"#,
      #"<div id="l" class="list" role="group"><span class="text">a</span></div>"#
    ),
    (
      #"<Section title="t"><Text template="footer">f</Text>a<Text template="header">h</Text></Section>"#,
      """
      <section class="section"><div class="slot title">t</div>\
      <div class="slot header"><span class="text">h</span></div>a\
      <div class="slot footer"><span class="text">f</span></div></section>
      """
    ),
    ("<Form/>", #"<div class="form" role="form"></div>"#),
    (
      #"<LiveForm phx-change="c" phx-submit="s"/>"#,
      #"<div class="form" role="form" data-phx-change="c" data-phx-submit="s"></div>"#
    ),
    (#"<ScrollView axes="horizontal"/>"#, #"<div class="scroll axes-horizontal" tabindex="0"></div>"#),
    ("<ScrollView/>", #"<div class="scroll"></div>"#),
    (
      #"<DisclosureGroup isExpanded title="t">a<Text template="content">b</Text></DisclosureGroup>"#,
      """
      <details class="disclosure" open=""><summary class="summary" data-mirror-choice="">t</summary>\
      <div class="disclosed"><span class="text">b</span>a</div></details>
      """
    ),
    ("<NavigationStack>a</NavigationStack>", #"<div class="navigation">a</div>"#),
    (
      #"<TabView><Tab title="One">a</Tab><Text>x</Text><Tab>b</Tab></TabView>"#,
      """
      <div class="tabs">\
      <details class="tab" name="tabs-2" open=""><summary class="summary" data-mirror-choice="One">One</summary><div class="tab-content">a</div></details>\
      <details class="tab" name="tabs-2"><summary class="summary" data-mirror-choice="Tab 3">Tab 3</summary><div class="tab-content">b</div></details>\
      <span class="text">x</span></div>
      """
    ),
    (
      #"<TabView selection="2"><Tab value="1"/><Tab value="2"/></TabView>"#,
      """
      <div class="tabs">\
      <details class="tab" name="tabs-2"><summary class="summary" data-mirror-choice="1">1</summary><div class="tab-content"></div></details>\
      <details class="tab" name="tabs-2" open=""><summary class="summary" data-mirror-choice="2">2</summary><div class="tab-content"></div></details>\
      </div>
      """
    ),
    (
      #"<LabeledContent><Text template="label">A</Text>b</LabeledContent>"#,
      #"<div class="labeled"><div class="slot label"><span class="text">A</span></div>b</div>"#
    ),
  ])
  func `an element is drawn as HTML`(native: String, html: String) {
    let page = NativePage(native)
    #expect(page.markup == html)
    #expect(page.problems == [])
  }

  @Test(arguments: [
    "red", "orange", "yellow", "green", "mint", "teal", "cyan", "blue", "indigo", "purple", "pink", "brown", "white",
    "gray", "black",
  ])
  func `the stylesheet has every colour that a shape can be filled with`(colour: String) throws {
    #expect(NativePage("<Ellipse fill=\"\(colour)\"/>").markup == "<div class=\"shape capsule fill-\(colour)\"></div>")
    #expect(try NativePage.stylesheet().contains("\n.fill-\(colour) {"))
  }

  @Test(arguments: ViewRegistry.native.tags) func `no control has an empty class or label`(tag: String) {
    for page in [NativePage("<\(tag)/>"), NativePage("<\(tag)><Text template=\"title\">a</Text><!-- b --></\(tag)>")] {
      #expect(!page.markup.contains(#"class="""#))
      #expect(!page.markup.contains(#"<span class="control-label"></span>"#))
    }
  }

  @Test func `the drawn markup parses to the intended tree`() {
    let tags = ViewRegistry.native.tags
    for outer in tags {
      for inner in tags {
        let page = NativePage(
          "<\(outer) destination=\"/x\" tag=\"a\" title=\"t\"><\(inner) destination=\"/y\" tag=\"b\" text=\"x\">z</\(inner)></\(outer)>"
        )
        let tree = NativePage.parse(page.markup)
        #expect(tree.markup(dialect: .html) == page.markup, "<\(inner)> in <\(outer)>")
      }
    }
  }

  @Test func `an unregistered tag is drawn as a box with its name and its content`() {
    #expect(
      NativePage("<script id=\"s\" src=\"x\">a<Text>b</Text></script>").markup
        == #"<div id="s" class="unknown"><span class="unknown-name">script</span>a<span class="text">b</span></div>"#)
  }

  @Test func `a child with an unknown slot name is drawn as content`() {
    #expect(
      NativePage(#"<Section><Text template="overlay">a</Text></Section>"#).markup
        == #"<section class="section"><span class="text">a</span></section>"#)
  }

  @Test(arguments: [
    (
      #"<VStack spacing="wide" alignment="middle"/>"#, #"<div class="vstack"></div>"#,
      [
        """
        <VStack>: attribute `alignment` is "middle", and not one of leading, center, trailing, top, bottom, \
        firstTextBaseline, lastTextBaseline, topLeading, topTrailing, bottomLeading, bottomTrailing
        """,
        #"<VStack>: attribute `spacing` is "wide", and not a length from 0 to 1000"#,
      ]
    ),
    (
      #"<Link destination="javascript:alert(1)">a</Link>"#, #"<span class="link" role="link">a</span>"#,
      [#"<Link>: attribute `destination` is "javascript:alert(1)", and not an address: http, https, or a path"#]
    ),
    (
      #"<Stepper value="many"/>"#,
      """
      <label class="control stepper"><span class="range">\
      <span class="step down">−</span><output class="value" aria-label="Stepper">—</output>\
      <span class="step up">+</span></span></label>
      """,
      [#"<Stepper>: attribute `value` is "many", and not a number"#]
    ),
    (
      #"<LazyVGrid columns="[]"/>"#, #"<div class="lazy-grid"></div>"#,
      [#"<LazyVGrid>: attribute `columns` is "[]", and not a number from 1 to 48, or a list with as many entries"#]
    ),
    (
      ##"<Capsule fill="#ff0000"/>"##, #"<div class="shape capsule"></div>"#,
      [
        """
        <Capsule>: attribute `fill` is "#ff0000", and not one of red, orange, yellow, green, mint, teal, cyan, blue, \
        indigo, purple, pink, brown, white, gray, black
        """
      ]
    ),
  ])
  func `an attribute that cannot be read is omitted and reported`(native: String, html: String, problems: [String]) {
    let page = NativePage(native)
    #expect(page.markup == html)
    #expect(page.problems == problems)
  }
}
