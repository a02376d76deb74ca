import NIOCore

/// The body of a request that takes long, with a check between its parts that ends it by throwing.
struct CheckedBody<Base: AsyncSequence>: AsyncSequence where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let share: ConnectionMemory.Share?
    let check: @Sendable () async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), share: share, check: check) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let share: ConnectionMemory.Share?
        let check: @Sendable () async throws -> Void
        private var checked = ContinuousClock.now
        /// The size of the last part. Whoever asks for the next one has stored it.
        private var last = 0

        init(
            base: Base.AsyncIterator, share: ConnectionMemory.Share?, check: @escaping @Sendable () async throws -> Void
        ) {
            self.base = base
            self.share = share
            self.check = check
        }

        mutating func next() async throws -> ByteBuffer? {
            share?.stored(last)
            last = 0
            let part = try await base.next(isolation: #isolation)
            last = part?.readableBytes ?? 0
            if checked.duration(to: .now) > FilesController.checkInterval {
                try await check()
                checked = .now
            }
            return part
        }
    }
}

extension CheckedBody: Sendable where Base: Sendable {}
