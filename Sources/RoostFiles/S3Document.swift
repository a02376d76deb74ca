import NIOCore

/// A reader for the XML of an object store: elements and text, without attributes' values, DTD, CDATA or namespaces.
struct S3Document {
    /// The name of the outermost element.
    private(set) var root = ""
    /// The elements that contain only text, in order, each with the names of its parents, such as
    /// `ListBucketResult/Contents/Key`.
    private(set) var elements: [(path: String, text: String)] = []

    /// - Returns: nil if it is not well-formed, or has what is not read here.
    init?(_ bytes: ByteBuffer) {
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { return nil }
        var open: [Substring] = []
        var isLeaf = false
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            let content = rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else { return nil }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("?") {
                guard tag.hasSuffix("?"), root.isEmpty else { return nil }
            } else if tag.hasPrefix("/") {
                guard let name = open.last, tag.dropFirst() == name else { return nil }
                if isLeaf {
                    guard let value = Self.decoded(content) else { return nil }
                    elements.append((open.joined(separator: "/"), value))
                }
                open.removeLast()
                isLeaf = false
            } else {
                let isEmpty = tag.hasSuffix("/")
                let name = (isEmpty ? tag.dropLast() : tag).prefix { $0 != " " && $0 != "\n" }
                guard Self.isName(name), !open.isEmpty || root.isEmpty, open.count < 16 else { return nil }
                if root.isEmpty { root = String(name) }
                if isEmpty {
                    elements.append(((open + [name]).joined(separator: "/"), ""))
                } else {
                    open.append(name)
                }
                isLeaf = !isEmpty
            }
        }
        guard open.isEmpty, !root.isEmpty else { return nil }
    }

    /// The text of the first element with a path below the root.
    func text(_ path: String) -> String? {
        let full = root + "/" + path
        return elements.first { $0.path == full }?.text
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func decoded(_ text: Substring) -> String? {
        guard text.contains("&") else { return String(text) }
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(parts[0])
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else { return nil }
            result.unicodeScalars.append(character)
            result += part[part.index(after: end)...]
        }
        return result
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#"), !name.contains("+") else { return nil }
            let isHex = name.hasPrefix("#x")
            return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }
}
