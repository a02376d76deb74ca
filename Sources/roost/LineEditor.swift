import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a person does at the keyboard.
enum KeyEvent: Equatable, Sendable {
    /// The text of the line changed.
    case edited(String)
    /// The line was finished.
    case line(String)
    /// The person is done: Ctrl-C, Ctrl-D or the end of the input.
    case end
}

/// Turns the bytes of a terminal into edits of one line. Pure, so that it can be tested byte by byte.
struct LineEditor {
    private(set) var text = ""
    private var pending: [UInt8] = []
    private var escape: [UInt8]?

    /// Takes one byte.
    mutating func take(_ byte: UInt8) -> KeyEvent? {
        if var sequence = escape {
            // Keys such as the arrows send ESC [ … letter; they mean nothing here.
            sequence.append(byte)
            let isOver = sequence.count == 1 ? byte != UInt8(ascii: "[") && byte != UInt8(ascii: "O") : byte >= 0x40
            escape = isOver || sequence.count > 16 ? nil : sequence
            return nil
        }
        switch byte {
        case 0x03: return .end
        case 0x04: return text.isEmpty ? .end : nil
        case 0x0A, 0x0D:
            let line = text
            text = ""
            pending = []
            return .line(line)
        case 0x08, 0x7F:
            guard !text.isEmpty else { return nil }
            text.removeLast()
            return .edited(text)
        case 0x15:
            text = ""
            return .edited(text)
        case 0x1B:
            escape = []
            return nil
        case 0..<0x20: return nil
        default:
            pending.append(byte)
            guard let piece = String(validating: pending, as: UTF8.self) else {
                if pending.count >= 4 { pending = [] }
                return nil
            }
            pending = []
            text += piece
            return .edited(text)
        }
    }
}

/// The keyboard: key by key on a terminal, line by line from a pipe.
final class Keyboard: Sendable {
    let isTerminal: Bool
    let events: AsyncStream<KeyEvent>
    private let saved: Mutex<termios?>

    init() {
        isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let (events, continuation) = AsyncStream.makeStream(of: KeyEvent.self)
        self.events = events
        var settings = termios()
        if isTerminal, tcgetattr(STDIN_FILENO, &settings) == 0 {
            saved = Mutex(settings)
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        } else {
            saved = Mutex(nil)
        }
        let thread = Thread {
            var editor = LineEditor()
            var buffer = [UInt8](repeating: 0, count: 1_024)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count <= 0 { break }
                for byte in buffer.prefix(count) {
                    if let event = editor.take(byte) { continuation.yield(event) }
                }
            }
            if !editor.text.isEmpty { continuation.yield(.line(editor.text)) }
            continuation.yield(.end)
            continuation.finish()
        }
        thread.start()
    }

    /// Gives the terminal back as it was.
    func restore() {
        saved.withLock { settings in
            if var value = settings { tcsetattr(STDIN_FILENO, TCSANOW, &value) }
            settings = nil
        }
    }
}
