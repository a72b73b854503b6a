import Testing

@testable import TriggerModel

@Suite struct ArrayFitTests {
  @Test func `a list gives its memory back and stays what it was`() {
    for count in [0, 1, 2, 33] {
      var list: [Int64] = []
      list.reserveCapacity(100)
      list += (0..<Int64(count))
      let copy = list
      list.fit()
      #expect(list.capacity <= count + 1)
      #expect(list == Array(0..<Int64(count)))
      #expect(copy == list)
      // Nothing to be had.
      let capacity = list.capacity
      list.fit()
      #expect(list.capacity == capacity)
      list.append(7)
      #expect(list.last == 7 && list.count == count + 1)
    }
  }
}
