import RoostWire

extension WebSocketSession {
    /// A received frame with its unmasked payload.
    struct Frame {
        var isFinal = true
        var hasReservedBits = false
        var opcode: UInt8
        var isMasked = true
        var payload: [UInt8]
    }

    /// The close frame that ends a connection.
    struct CloseFrame: Equatable {
        /// The close code; nil if the client's close frame had none.
        var code: UInt16?
        var reason = ""
        /// The error to send before the close frame.
        var error: FrameAnswer?
        /// Whether the client closed first, so that nothing more will arrive from it.
        var isReply = false

        init(_ code: CloseCode, _ reason: String, error: FrameAnswer? = nil) {
            self.code = code.rawValue
            self.reason = reason
            self.error = error
        }

        init(replyingTo code: UInt16?) {
            self.code = code
            isReply = true
        }
    }

    /// An error reply, with the id of the frame if it could be parsed.
    struct FrameAnswer: Equatable {
        var id: String?
        var error: WireError
    }

    /// The rules of one connection, without I/O: the action for each frame, and which command may run next.
    ///
    /// A connection sends hello, waits for its welcome, is live, and closes. Commands start in order of arrival:
    /// those that write or move may run concurrently, and one that reads runs alone. While too much output is unread,
    /// no command starts and the socket is not read.
    struct StateMachine {
        enum Phase: Equatable {
            case awaitingHello
            case authenticating
            case live
            case closing
        }

        enum Action: Equatable {
            case none
            case pong([UInt8])
            case authenticate(Hello, id: String)
            case submit(ClientFrame)
            case answer(FrameAnswer)
            case close(CloseFrame)
            /// The client replied to the close frame: close the socket.
            case end
        }

        struct Limits {
            var preAuthFrameBytes: Int
            var frameBytes: Int
            var fragments: Int
            var pingsPerSecond: Int
            var commands: Int
        }

        private(set) var phase = Phase.awaitingHello
        /// Whether so many commands are pending that the socket must not be read.
        private(set) var isFull = false
        /// Whether commands wait until the client has read its output.
        private(set) var isHeld = false
        /// Whether the client has closed its side of the TCP connection.
        private(set) var isInputOver = false
        private let limits: Limits
        private var message: [UInt8] = []
        private var fragments = 0
        /// The sizes of the commands that are not answered, and their sum.
        private var sizes: [Int] = []
        private var commandBytes = 0
        private var waiting: [ClientFrame] = []
        private var firstWaiting = 0
        private var inFlight = 0
        private var isReading = false
        private var unreadable = 0
        private var pings = 0
        private var pingSecond: Int64 = .min

        init(limits: Limits) { self.limits = limits }

        /// The number of commands that are waiting or running.
        var load: Int { waiting.count - firstWaiting + inFlight }

        /// The bytes of the fragments, and of the commands that are not answered.
        var heldBytes: Int { message.count + commandBytes }

        /// Whether the socket must not be read.
        var isPaused: Bool { isFull || isHeld }

        /// Whether a running command may cause events.
        var isChanging: Bool { inFlight > 0 && !isReading }

        /// Whether the client has closed its side and all of its commands have been answered.
        var isFinished: Bool { isInputOver && phase == .live && load == 0 }

        /// Notes that the connection is authenticated.
        mutating func welcome() {
            if phase == .authenticating { phase = .live }
        }

        /// Starts closing: all further input is ignored.
        mutating func close() {
            phase = .closing
            message = []
            sizes = []
            commandBytes = 0
            waiting = []
            firstWaiting = 0
            isFull = false
            isHeld = false
        }

        /// Notes that the client closed its side of the TCP connection. Commands received completely before are still
        /// answered.
        mutating func endInput() -> Action {
            switch phase {
            case .awaitingHello, .closing: return .end
            case .authenticating, .live:
                isInputOver = true
                return isFinished ? .close(CloseFrame(replyingTo: nil)) : .none
            }
        }

        /// Holds back commands, or lets `next` return them again.
        mutating func hold(_ isHeld: Bool) {
            if phase != .closing { self.isHeld = isHeld }
        }

        /// Handles a frame. `now` is a monotonic clock in ms that is read only for pings.
        mutating func receive(_ frame: Frame, now: @autoclosure () -> Int64) -> Action {
            guard phase != .closing else { return frame.opcode == 8 ? .end : .none }
            guard frame.isMasked else { return fault("a client has to mask its frames") }
            guard !frame.hasReservedBits else { return fault("a reserved bit is set") }
            switch frame.opcode {
            case 0:
                guard fragments > 0 else { return fault("a continuation without a beginning") }
                return receive(part: frame)
            case 1:
                guard fragments == 0 else { return fault("a new message inside a fragmented one") }
                return receive(part: frame)
            case 2: return .close(CloseFrame(.unsupportedData, "the protocol is text"))
            case 8...10:
                guard frame.isFinal, frame.payload.count <= 125 else { return fault("a control frame is too large") }
                if frame.opcode == 8 { return receive(close: frame.payload) }
                return frame.opcode == 9 ? receive(ping: frame.payload, now: now()) : .none
            default: return fault("an unknown opcode")
            }
        }

        private func fault(_ reason: String) -> Action { .close(CloseFrame(.protocolError, reason)) }

        private mutating func receive(part frame: Frame) -> Action {
            let limit = phase == .live ? limits.frameBytes : limits.preAuthFrameBytes
            guard frame.payload.count <= limit - message.count else {
                return .close(CloseFrame(.tooLarge, "at most \(limit) bytes"))
            }
            if frame.isFinal, fragments == 0 { return receive(message: frame.payload) }
            fragments += 1
            guard fragments <= limits.fragments else {
                return .close(CloseFrame(.policyViolation, "at most \(limits.fragments) fragments"))
            }
            message += frame.payload
            guard frame.isFinal else { return .none }
            let whole = message
            message = []
            fragments = 0
            return receive(message: whole)
        }

        private mutating func receive(ping payload: [UInt8], now: Int64) -> Action {
            if now < pingSecond.addingReportingOverflow(1_000).partialValue, pingSecond != .min {
                pings += 1
            } else {
                pingSecond = now
                pings = 1
            }
            guard pings <= limits.pingsPerSecond else {
                return .close(CloseFrame(.policyViolation, "at most \(limits.pingsPerSecond) pings a second"))
            }
            return .pong(payload)
        }

        private func receive(close body: [UInt8]) -> Action {
            guard !body.isEmpty else { return .close(CloseFrame(replyingTo: nil)) }
            guard body.count >= 2 else { return fault("half a close code") }
            let code = UInt16(body[0]) << 8 | UInt16(body[1])
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: break
            default: return fault("a close code that is not to be sent")
            }
            guard UTF8Text.isValid(body[2...]) else {
                return .close(CloseFrame(.invalidText, "the reason is not UTF-8"))
            }
            return .close(CloseFrame(replyingTo: code))
        }

        private mutating func receive(message: [UInt8]) -> Action {
            guard UTF8Text.isValid(message[...]) else {
                return .close(CloseFrame(.invalidText, "the text is not UTF-8"))
            }
            let frame: ClientFrame
            do {
                frame = try WireCodec.decodeClientFrame(message)
            } catch {
                return receive(unreadable: error)
            }
            unreadable = 0
            switch phase {
            case .awaitingHello: return receive(first: frame)
            case .authenticating:
                let error = WireError(.notAuthenticated, "Wait for the answer to hello before the next command.")
                return .close(
                    CloseFrame(.notAuthenticated, "not authenticated", error: FrameAnswer(id: frame.id, error: error)))
            case .live: return receive(command: frame, bytes: message.count)
            case .closing: return .none
            }
        }

        private mutating func receive(unreadable fault: FrameFault) -> Action {
            let answer = FrameAnswer(id: fault.id, error: fault.error)
            guard phase == .live else {
                return .close(CloseFrame(.notAuthenticated, "not authenticated", error: answer))
            }
            unreadable = fault.id == nil ? unreadable + 1 : 0
            guard unreadable < 3 else {
                return .close(CloseFrame(.policyViolation, "three unreadable frames in a row", error: answer))
            }
            return .answer(answer)
        }

        private mutating func receive(first frame: ClientFrame) -> Action {
            guard case .hello(let hello) = frame.command else {
                let error = WireError(.notAuthenticated, "The first command has to be hello.")
                return .close(
                    CloseFrame(.notAuthenticated, "not authenticated", error: FrameAnswer(id: frame.id, error: error)))
            }
            guard hello.version == ProtocolVersion.current else {
                let error = WireError(
                    .protocolVersion, "This server supports version \(ProtocolVersion.current) of the protocol.")
                return .close(
                    CloseFrame(.protocolError, "unsupported version", error: FrameAnswer(id: frame.id, error: error)))
            }
            phase = .authenticating
            return .authenticate(hello, id: frame.id)
        }

        private mutating func receive(command frame: ClientFrame, bytes: Int) -> Action {
            let effect = frame.command.effect
            if effect == .writes, TransID(rawValue: frame.id) == nil {
                let error = WireError(
                    .dataFormat, "This command changes data, so its id must be 1 to 64 of A-Z a-z 0-9 _ . : -")
                return .answer(FrameAnswer(id: frame.id, error: error))
            }
            sizes.append(bytes)
            commandBytes += bytes
            if firstWaiting == waiting.count, mayStart(effect) {
                start(effect)
                updateIsFull()
                return .submit(frame)
            }
            waiting.append(frame)
            updateIsFull()
            return .none
        }

        private func mayStart(_ effect: AnyCommand.Effect) -> Bool {
            !isHeld && !isReading && (effect != .reads || inFlight == 0)
        }

        private mutating func start(_ effect: AnyCommand.Effect) {
            inFlight += 1
            isReading = effect == .reads
        }

        /// Notes that a command was answered.
        mutating func answered() {
            if inFlight > 0 {
                inFlight -= 1
                // Whichever was answered: as many sizes stay as commands.
                if !sizes.isEmpty { commandBytes -= sizes.removeFirst() }
            }
            isReading = false
            updateIsFull()
        }

        /// Returns the next waiting command if it may run now.
        mutating func next() -> ClientFrame? {
            guard phase == .live, firstWaiting < waiting.count else { return nil }
            let frame = waiting[firstWaiting]
            guard mayStart(frame.command.effect) else { return nil }
            start(frame.command.effect)
            firstWaiting += 1
            if firstWaiting == waiting.count {
                waiting = []
                firstWaiting = 0
            }
            return frame
        }

        private mutating func updateIsFull() {
            isFull = isFull ? load >= limits.commands / 2 : load >= limits.commands
        }
    }
}

/// Validates text messages.
enum UTF8Text {
    /// Whether the bytes are valid UTF-8.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isASCII = bytes.withUnsafeBytes { raw in
            var high: UInt64 = 0
            var at = 0
            while at + 8 <= raw.count {
                high |= raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                at += 8
            }
            while at < raw.count {
                high |= UInt64(raw[at])
                at += 1
            }
            return high & 0x8080_8080_8080_8080 == 0
        }
        return isASCII || String(validating: bytes, as: UTF8.self) != nil
    }
}
