/// How many of something run at the same time, by whom they count for.
struct RunningCounts<Key: Hashable> {
    private var counts: [Key: Int] = [:]

    subscript(key: Key) -> Int { counts[key] ?? 0 }

    mutating func add(_ key: Key) { counts[key, default: 0] += 1 }

    mutating func remove(_ key: Key) {
        let left = self[key] - 1
        counts[key] = left > 0 ? left : nil
    }
}
