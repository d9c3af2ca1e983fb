import Foundation
import Testing

extension BrowserSuite {
  /// The page of a native LiveView: the mirror draws what a person chooses in a control, without a
  /// carrier and without a new version.
  @Suite struct NativeControlsTests {
    @Test func `controls keep what a person chooses while the page changes`() throws {
      let mirror = try Mirror()
      let markup = """
        <VStack><Toggle isOn='false'>Wi-Fi</Toggle>\
        <Picker selection='a'><Text tag='a'>A</Text><Text tag='b'>B</Text></Picker>\
        <DisclosureGroup title='More'><Text>inside</Text></DisclosureGroup>\
        <TabView><Tab title='One'>1</Tab><Tab title='Two'>2</Tab></TabView></VStack><Text>
        """
      let rendered = try JSONSerialization.data(withJSONObject: ["s": [markup, "</Text>"], "0": "x"])
      #expect(
        try mirror.post("/views/n/rendered?dialect=native", String(decoding: rendered, as: UTF8.self)).status == 201)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(mirror.address + "/views/n/page")
      #expect(try tab.wait(untilInFrame: "page?.body?.querySelector('.toggle')"))
      #expect(try tab.wait(until: "document.querySelector('.stream .state')?.textContent === 'Live'"))
      let acted = "document.querySelector('.acted').textContent"

      try tab.click(inFrame: ".choice:nth-child(2)")
      #expect(try tab.wait(untilInFrame: "page.querySelector('.choice:nth-child(2)').ariaSelected === 'true'"))
      #expect(
        try tab.evaluate(acted).string?.hasSuffix("version 0, 0 changes, NativePicker: state `selection`") == true)
      try tab.click(inFrame: ".switch")
      #expect(try tab.wait(until: "\(acted).includes('NativeToggle: state `isOn`')"))
      try tab.click(inFrame: ".disclosure > .summary")
      #expect(try tab.wait(until: "\(acted).includes('NativeDisclosure: state `isExpanded`')"))
      try tab.click(inFrame: ".tab:nth-child(2) > .summary")
      #expect(try tab.wait(until: "\(acted).includes('NativeTab: shared `ChosenTab.node`')"))

      #expect(try mirror.post("/views/n/diffs", #"{"0":"y"}"#).status == 200)
      #expect(try tab.wait(untilInFrame: "page.body.textContent.trim().endsWith('y')"))
      let state = try tab.evaluate(
        inFrame: """
          [page.querySelector('.choice:nth-child(2)').ariaSelected, page.querySelector('.switch').checked,
          page.querySelector('.disclosure').open, ...[...page.querySelectorAll('.tab')].map(({ open }) => open)].join()
          """)
      #expect(state.string == "true,true,true,false,true")
      #expect(tab.complaints == [])
    }
  }
}
