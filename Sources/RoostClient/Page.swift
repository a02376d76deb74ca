import RoostWire

/// One page of a list, with access to the following pages.
///
/// A page is a collection of its elements:
///
/// ```swift
/// let page = try await group.members(limit: 50)
/// for member in page { print(member.userID) }
/// for try await member in page.all { print(member.userID) }   // this page, and all behind it
/// ```
///
/// Each page is requested with a command. Elements that change while a list is read may be
/// missing or appear twice, as each list says.
public struct Page<Element: Sendable>: RandomAccessCollection, Sendable {
    /// What the page lists.
    public let elements: [Element]
    /// The `cursor` of the next page; nil on the last one. It can be kept, and given to the same list later.
    public let next: String?
    private let load: @Sendable (String) async throws(RoostError) -> Page<Element>

    init(
        _ elements: [Element], next: String?,
        load: @escaping @Sendable (String) async throws(RoostError) -> Page<Element>
    ) {
        self.elements = elements
        self.next = next
        self.load = load
    }

    /// Whether there are more pages.
    public var hasMore: Bool { next != nil }

    /// Loads the next page; nil after the last one.
    /// - Throws: a refusal of the server, or an error of the connection.
    public func nextPage() async throws(RoostError) -> Page<Element>? {
        guard let next else { return nil }
        return try await load(next)
    }

    /// This page, then each following page, loaded when it is reached.
    public var pages: PageSequence<Element> { PageSequence(first: self) }

    /// The elements of this page, then of the following pages, which are loaded when they are reached.
    public var all: ElementSequence<Element> { ElementSequence(pages: pages) }

    /// The position of the first element.
    public var startIndex: Int { elements.startIndex }

    /// The position after the last element.
    public var endIndex: Int { elements.endIndex }

    /// An element of this page.
    public subscript(position: Int) -> Element { elements[position] }
}

/// The pages of a list, from ``Page/pages``. For one reader.
public struct PageSequence<Item: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>
    /// The error that ends it early.
    public typealias Failure = RoostError
    let first: Page<Item>

    /// Starts with the current page.
    public func makeAsyncIterator() -> Iterator { Iterator(state: .first(first)) }

    /// Loads one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// A page.
        public typealias Element = Page<Item>
        /// The error that ends it early.
        public typealias Failure = RoostError

        enum State {
            case first(Page<Item>)
            case behind(Page<Item>)
            case ended
        }

        var state: State

        /// The next page; nil after the last one, and if the server returns the same cursor again.
        /// - Throws: a refusal of the server, or an error of the connection. Another call tries the same page again.
        public mutating func next() async throws(RoostError) -> Page<Item>? {
            switch state {
            case .first(let page):
                state = .behind(page)
                return page
            case .behind(let page):
                guard let new = try await page.nextPage() else {
                    state = .ended
                    return nil
                }
                state = new.next == page.next ? .ended : .behind(new)
                return new
            case .ended: return nil
            }
        }
    }
}

/// The elements of a list over all of its pages, from ``Page/all``.
public struct ElementSequence<Item: Sendable>: AsyncSequence, Sendable {
    /// An element.
    public typealias Element = Item
    /// The error that ends it early.
    public typealias Failure = RoostError
    let pages: PageSequence<Item>

    /// Starts with the current page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Reads one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// An element.
        public typealias Element = Item
        /// The error that ends it early.
        public typealias Failure = RoostError
        var pages: PageSequence<Item>.Iterator
        private var page: ArraySlice<Item> = []

        init(pages: PageSequence<Item>.Iterator) { self.pages = pages }

        /// The next element; nil after the last one.
        /// - Throws: as the iterator of the pages.
        public mutating func next() async throws(RoostError) -> Item? {
            while page.isEmpty {
                guard let new = try await pages.next() else { return nil }
                page = new.elements[...]
            }
            return page.popFirst()
        }
    }
}

extension ChatClient {
    /// Executes a command that lists something.
    func page<C: ListingCommand>(_ command: C) async throws(RoostError) -> Page<C.Answer.Element> {
        let answer = try await perform(command)
        return Page(answer.elements, next: answer.next) { (cursor) async throws(RoostError) in
            var next = command
            next.cursor = cursor
            return try await self.page(next)
        }
    }
}
