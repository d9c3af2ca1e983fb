import MarkupDocument
import Observation
import Testing

@testable import MirrorViews
import NodeObservation

/// Views that read models of Swift's Observation.
@Suite struct ObservableModelTests {
  @Observable final class Model: @unchecked Sendable {
    var count = 0
    var note = ""
  }

  struct Reading: PageView {
    @ObservedElement var element
    let model: Model
    var body: some View { Text("\(model.count) \(element["round"] ?? "")") }
  }

  @Test func `a view is evaluated only if a property that it read has changed`() {
    let model = Model()
    let stage = Stage { Reading(model: model) }
    stage.draw()
    model.note = "unread"
    stage.later.run()
    #expect(stage.evaluated() == [])
    let count = stage.page.evaluationCount
    model.count = 1
    // Observation announces a change before it is made, so the evaluation is deferred.
    #expect(stage.page.evaluationCount == count)
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

  @Test func `a body that was evaluated often is notified once for each change`() throws {
    let model = Model()
    let stage = Stage { Reading(model: model) }
    stage.draw()
    for round in 0..<500 { stage.touch(round) }
    #expect(stage.page.evaluationCount >= 500)
    _ = stage.evaluated()
    let view = try #require(stage.page.elementViews.all.first { $0.view is Reading })
    model.count = 1
    // The registration from before the first evaluation that read the model, and the current one.
    #expect(view.observables.fired <= 2)
    #expect(view.observables.fired > 0)
    stage.later.run()
    #expect(stage.evaluated().count == 1)
    model.count = 2
    stage.later.run()
    #expect(stage.evaluated().count == 1)
  }
}
