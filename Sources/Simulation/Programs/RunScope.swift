/// How much of a run is played.
package enum RunScope: Sendable {
  /// All of it.
  case everything
  /// What acts on the phone, the app and the person alone: no record tells of the truth track's requests, of links, of
  /// what our app shows by itself, nor of every per cent of the battery, and where the sink asks for nothing that the
  /// app is told, none of what its engine need not be told. Everything else is the same.
  case acts
}
