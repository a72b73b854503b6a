import TriggerModel

/// Rule 4 of ``FixRules``.
extension FixRules {
  /// A stretch of a track without a gap.
  private struct Piece {
    var start: Instant
    var end: Instant
  }

  /// Leaves out what other tracks say while the one that began first goes on.
  ///
  /// - Parameter fixes: In order of time.
  func dropOverlapping(_ fixes: inout [RecordedFix], _ summary: inout ImportSummary) {
    guard fixes.contains(where: { $0.track != fixes[0].track }) else { return }
    let (pieces, pieceOf) = pieces(of: fixes)
    // Pieces are in the order of their beginnings; those before this one have ended.
    var first = 0
    var holder = 0
    var kept: [RecordedFix] = []
    kept.reserveCapacity(fixes.count)
    for (index, recorded) in fixes.enumerated() {
      let instant = recorded.fix.instant
      if instant > pieces[holder].end {
        while pieces[first].end < instant { first += 1 }
        holder = first
      }
      // At the very end of a track another may begin: rule 5 looks at those.
      if pieceOf[index] == holder || instant == pieces[holder].end {
        kept.append(recorded)
      } else {
        summary.note(.overlapping, line: Int(recorded.line))
      }
    }
    fixes = kept
  }

  /// The pieces in the order of their beginnings, and the piece of each fix.
  private func pieces(of fixes: [RecordedFix]) -> (pieces: [Piece], pieceOf: [Int]) {
    var pieces: [Piece] = []
    var pieceOf: [Int] = []
    pieceOf.reserveCapacity(fixes.count)
    var latest: [Int32: Int] = [:]
    for recorded in fixes {
      let instant = recorded.fix.instant
      if let piece = latest[recorded.track], instant - pieces[piece].end <= longestGap {
        pieces[piece].end = instant
        pieceOf.append(piece)
      } else {
        latest[recorded.track] = pieces.count
        pieceOf.append(pieces.count)
        pieces.append(Piece(start: instant, end: instant))
      }
    }
    return (pieces, pieceOf)
  }
}
