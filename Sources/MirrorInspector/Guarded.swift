internal import NodeObservation

/// Of the two that this module can see: nothing in here waits for a condition.
typealias Guarded = NodeObservation.Guarded
