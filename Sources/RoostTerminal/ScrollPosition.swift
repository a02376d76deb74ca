package import RoostModels

/// The scroll position of a timeline: at its end, or with a line of an item at the bottom.
///
/// It is anchored to an item instead of an index, so that neither older nor newer items move the visible part.
package enum ScrollPosition: Hashable, Sendable {
    case bottom
    /// This many lines of the item, and everything after it, are below the screen; `seq` is the fallback if the item
    /// is gone.
    case at(TimelineItem.ID, hidden: Int, seq: Int64)
}

/// Computes the visible lines of a timeline and scrolls it; heights are computed only where needed.
package struct TimelineWindow {
    let items: [TimelineItem]
    let height: Int
    let lineCount: (TimelineItem) -> Int

    package init(items: [TimelineItem], height: Int, lineCount: @escaping (TimelineItem) -> Int) {
        self.items = items
        self.height = max(1, height)
        self.lineCount = lineCount
    }

    /// The last visible item, and how many of its lines are hidden.
    func end(of place: ScrollPosition) -> (index: Int, hidden: Int)? {
        guard !items.isEmpty else { return nil }
        guard case .at(let id, let hidden, let seq) = place else { return (items.count - 1, 0) }
        if let index = items.lastIndex(where: { $0.id == id }) {
            return (index, min(max(0, hidden), max(0, lineCount(items[index]) - 1)))
        }
        guard let index = items.lastIndex(where: { ($0.seq ?? .max) <= seq }) else { return (items.count - 1, 0) }
        return (index, 0)
    }

    /// The visible items, with the first visible line of the first one and the number of hidden lines of the last
    /// one.
    package func visible(at place: ScrollPosition) -> (items: Range<Int>, skipped: Int, hidden: Int) {
        guard let end = end(of: place) else { return (0..<0, 0, 0) }
        var left = height
        var index = end.index
        var hidden = end.hidden
        while true {
            let lines = lineCount(items[index]) - hidden
            hidden = 0
            if lines >= left || index == 0 {
                return (index..<end.index + 1, max(0, lines - left), end.hidden)
            }
            left -= lines
            index -= 1
        }
    }

    /// The position this many lines further up; at the first item the screen stays full.
    package func scrolled(_ place: ScrollPosition, up lines: Int) -> ScrollPosition {
        guard var (index, hidden) = end(of: place) else { return .bottom }
        var left = max(0, lines)
        while left > 0 {
            let shown = lineCount(items[index]) - hidden
            if left < shown {
                hidden += left
                break
            }
            left -= shown
            guard index > 0 else { return top }
            index -= 1
            hidden = 0
        }
        let place = self.place(index, hidden)
        let seen = visible(at: place)
        let isFull = seen.items.lowerBound > 0 || seen.skipped > 0 || lineCountUp(to: seen) >= height
        return isFull ? place : top
    }

    /// The position this many lines further down.
    package func scrolled(_ place: ScrollPosition, down lines: Int) -> ScrollPosition {
        guard var (index, hidden) = end(of: place) else { return .bottom }
        var left = max(0, lines)
        while left > 0 {
            if left <= hidden {
                hidden -= left
                break
            }
            left -= hidden
            hidden = 0
            guard index + 1 < items.count else { return .bottom }
            index += 1
            hidden = lineCount(items[index])
        }
        return self.place(index, hidden)
    }

    /// The position with the first item at the top.
    package var top: ScrollPosition {
        var left = height
        for (index, item) in items.enumerated() {
            let lines = lineCount(item)
            if lines >= left { return place(index, lines - left) }
            left -= lines
        }
        return .bottom
    }

    /// The position with an item in the middle.
    package func centered(on id: TimelineItem.ID) -> ScrollPosition {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return .bottom }
        let place = scrolled(self.place(index, 0), down: height / 2)
        // Near the beginning, keep the screen full.
        return scrolled(place, up: 0)
    }

    /// The nearest position at which an item is visible.
    package func showing(_ id: TimelineItem.ID, from place: ScrollPosition) -> ScrollPosition {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return place }
        let seen = visible(at: place)
        if index >= seen.items.upperBound || (index == seen.items.upperBound - 1 && seen.hidden > 0) {
            return self.place(index, 0)
        }
        if index > seen.items.lowerBound || (index == seen.items.lowerBound && seen.skipped == 0) { return place }
        // The first line of the item goes to the top.
        let lines = lineCount(items[index])
        let start = self.place(index, 0)
        return lines >= height ? start : scrolled(scrolled(start, down: height - lines), up: 0)
    }

    private func lineCountUp(to seen: (items: Range<Int>, skipped: Int, hidden: Int)) -> Int {
        items[seen.items].reduce(-seen.hidden) { $0 + lineCount($1) }
    }

    private func place(_ index: Int, _ hidden: Int) -> ScrollPosition {
        if index == items.count - 1, hidden == 0 { return .bottom }
        let seq = items[...index].last { $0.seq != nil }?.seq ?? 0
        return .at(items[index].id, hidden: hidden, seq: seq)
    }
}
