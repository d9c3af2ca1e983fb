import MarkupDocument
import Observation
import Testing

@testable import MirrorViews
import NodeObservation

/// Models of Swift's own Observation in views.
@Suite struct ObservableModelTests {
  @Observable final class Model: @unchecked Sendable {
    var count = 0
    var note = ""
  }

  struct Reading: View {
    @ObservedElement var element
    let model: Model
    var body: some View { Text("\(model.count) \(element["round"] ?? "")") }
  }

  @Test func `only what was read counts`() {
    let model = Model()
    let stage = Stage { Reading(model: model) }
    stage.draw()
    model.note = "unread"
    stage.later.run()
    #expect(stage.evaluated() == [])
    model.count = 1
    // Announced before it is changed, so it waits.
    #expect(stage.evaluated() == [])
    stage.later.run()
    #expect(stage.evaluated() == ["Reading: object `Observable`"])
    #expect(stage.draw().contains("1"))
  }

  @Test func `a change during a publication is evaluated when it ends`() {
    let model = Model()
    let stage = Stage { Reading(model: model) }
    stage.draw()
    Publication.run { model.count = 1 }
    #expect(stage.evaluated() == ["Reading: object `Observable`"])
  }

  @Test func `a body that is evaluated often is told once`() throws {
    let model = Model()
    let stage = Stage { Reading(model: model) }
    stage.draw()
    for round in 0..<500 { stage.touch(round) }
    #expect(stage.page.evaluationCount >= 500)
    _ = stage.evaluated()
    let view = try #require(stage.page.elementViews.all.first { $0.view is Reading })
    model.count = 1
    // One that was made before the first evaluation had read anything, and the present one.
    #expect(view.observables.fired <= 2)
    #expect(view.observables.fired > 0)
    stage.later.run()
    #expect(stage.evaluated().count == 1)
    model.count = 2
    stage.later.run()
    #expect(stage.evaluated().count == 1)
  }
}
