import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

/// A phone is in only one place at a time, and its route in a long gap is unknown.
@Suite struct OneTrackTests {
  private static let origin = Int64(1_772_434_800)

  /// Returns a GPX file with tracks. A track is a list of segments, and a segment is a list of minutes. The
  /// latitude is the number of the track.
  private static func gpx(_ tracks: [[[Int]]]) -> Data {
    var text = "<gpx version=\"1.1\">"
    for (number, track) in tracks.enumerated() {
      text += "<trk>"
      for segment in track {
        text += "<trkseg>"
        for minute in segment {
          let time = ISO8601DateFormatter().string(
            from: Date(timeIntervalSince1970: Double(origin) + Double(minute) * 60))
          text += "\n<trkpt lat=\"\(number + 1)\" lon=\"0\"><time>\(time)</time></trkpt>"
        }
        text += "</trkseg>"
      }
      text += "</trk>"
    }
    return Data((text + "</gpx>").utf8)
  }

  /// Describes a trace by the minute and the track number of each fix, with a bar at the start of each
  /// segment.
  private static func text(_ recording: GPXReader.Recording) -> String {
    recording.trace.fixes.enumerated().map { index, fix in
      let bar = recording.trace.segmentStarts.contains(index) ? "|" : ""
      let minute = (fix.instant.millisecondsSince1970 / 1_000 - origin) / 60
      return "\(bar)\(minute)/\(Int(fix.coordinate.latitude))"
    }.joined(separator: " ")
  }

  private static func read(_ tracks: [[[Int]]], _ options: GPXReader.Options = .init()) throws
    -> GPXReader.Recording
  {
    try GPXReader.read(gpx(tracks), file: "way.gpx", options: options)
  }

  @Test func `the track that started first is used until it ends`() throws {
    let recording = try Self.read([[[5, 10, 20]], [[0, 6]], [[19, 25, 30]], [[40]]])
    #expect(Self.text(recording) == "|0/2 6/2 |10/1 20/1 |25/3 30/3 |40/4")
    #expect(recording.summary.count(.overlapping) == 2)
    #expect(recording.summary.read == recording.summary.taken + recording.summary.leftOut)
  }

  @Test func `one track of several is selected`() throws {
    let tracks = [[[0, 10], [20, 30]], [[5, 15]]]
    let second = try Self.read(tracks, .init(track: 2))
    #expect(Self.text(second) == "|5/2 15/2" && second.summary.count(.otherTrack) == 4)
    let first = try Self.read(tracks, .init(track: 1))
    #expect(Self.text(first) == "|0/1 10/1 |20/1 30/1" && first.summary.count(.otherTrack) == 2)
    let error = #expect(throws: RecordingError.self) { try Self.read(tracks, .init(track: 3)) }
    #expect(error?.description == "way.gpx: there is no track 3: the file has 2; choose one from 1 to 2")
  }

  @Test func `a new segment starts after a long gap`() throws {
    let day = 24 * 60
    let recording = try Self.read([[[0, 12 * 60, 24 * 60 + 1, 3 * day]]])
    #expect(Self.text(recording) == "|0/1 720/1 |1441/1 |4320/1")
    #expect(recording.summary.count(.gap) == 2)
    let patient = try Self.read(
      [[[0, 12 * 60, 24 * 60 + 1, 3 * day]]], .init(rules: FixRules(longestGap: .days(3))))
    #expect(Self.text(patient) == "|0/1 720/1 1441/1 4320/1")
  }

  /// Compares the result with a reference that applies the rule minute by minute.
  @Test func `overlapping tracks are read as by the reference`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<150 {
      var tracks: [[Int]] = []
      for number in 0..<Int.random(in: 2...4, using: &random) {
        var minute = Int.random(in: 0...20, using: &random)
        tracks.append(
          (0..<Int.random(in: 1...6, using: &random)).map { _ in
            minute += Int.random(in: 1...8, using: &random)
            // No two tracks have a fix at the same instant.
            return minute * 4 + number
          })
      }
      let gap = 20
      // A piece is a part of a track without long gaps.
      var pieces: [(track: Int, minutes: [Int])] = []
      for (track, minutes) in tracks.enumerated() {
        for minute in minutes {
          if let last = pieces.last, last.track == track, minute - last.minutes[last.minutes.count - 1] <= gap
          {
            pieces[pieces.count - 1].minutes.append(minute)
          } else {
            pieces.append((track, [minute]))
          }
        }
      }
      var expected: [String] = []
      var holder: (track: Int, minutes: [Int])?
      for minute in 0...300 {
        if let last = holder?.minutes.last, last < minute { holder = nil }
        let going = pieces.filter { $0.minutes[0] <= minute && minute <= $0.minutes[$0.minutes.count - 1] }
        if holder == nil, going.contains(where: { $0.minutes.contains(minute) }) {
          holder = going.min { $0.minutes[0] < $1.minutes[0] }
        }
        if let holder, holder.minutes.contains(minute) { expected.append("\(minute)/\(holder.track + 1)") }
      }
      let recording = try Self.read(
        tracks.map { [$0] }, .init(rules: FixRules(maximumSpeed: nil, longestGap: .minutes(Int64(gap)))))
      #expect(Self.text(recording).replacing("|", with: "") == expected.joined(separator: " "), "\(tracks)")
      #expect(recording.summary.read == recording.summary.taken + recording.summary.leftOut)
    }
  }
}
