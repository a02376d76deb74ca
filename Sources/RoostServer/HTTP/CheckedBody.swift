import NIOCore

/// The body of a request that takes long, with a check between its parts that ends it by throwing.
struct CheckedBody<Base: AsyncSequence>: AsyncSequence where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let check: @Sendable () async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), check: check) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let check: @Sendable () async throws -> Void
        private var checked = ContinuousClock.now

        init(base: Base.AsyncIterator, check: @escaping @Sendable () async throws -> Void) {
            self.base = base
            self.check = check
        }

        mutating func next() async throws -> ByteBuffer? {
            let part = try await base.next(isolation: #isolation)
            if checked.duration(to: .now) > FilesController.checkInterval {
                try await check()
                checked = .now
            }
            return part
        }
    }
}
