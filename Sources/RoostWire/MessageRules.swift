/// What a message may be: the fields of each type and their limits. Pure rules, the same in the server and the SDK.
public enum MessageRules {
    /// What a type of message has.
    private struct Shape {
        var needsText = false
        var takesMentions = true
        var needsFile = false
        var takesThumbnail = false
        var needsLocation = false
        var needsAttributes = false
        var needsCall = false
    }

    private static let shapes: [String: Shape] = [
        "text": Shape(needsText: true),
        "sticker": Shape(needsText: true, takesMentions: false),
        "image": Shape(needsFile: true, takesThumbnail: true),
        "video": Shape(needsFile: true, takesThumbnail: true),
        "voice": Shape(needsFile: true),
        "contact": Shape(needsFile: true, takesThumbnail: true),
        "document": Shape(needsFile: true),
        "location": Shape(needsLocation: true),
        "screenshotTaken": Shape(takesMentions: false),
        "messageCopied": Shape(takesMentions: false),
        "messagesForwarded": Shape(takesMentions: false),
        "messageSaved": Shape(takesMentions: false),
        "callReceived": Shape(takesMentions: false, needsCall: true),
        "callCancelled": Shape(takesMentions: false, needsCall: true),
        "callRecorded": Shape(takesMentions: false, needsCall: true),
        "custom": Shape(needsAttributes: true),
        "customQuiet": Shape(),
        "customUncounted": Shape(),
    ]

    /// The types that `message.send` takes, sorted by name.
    public static var types: [String] { shapes.keys.sorted() }

    /// Checks a send, all but what only the channel can tell: who is a member, and which message is answered.
    ///
    /// A plain text costs no more than the check of its text.
    /// - Throws: `WireError` 1001 for a type that cannot be sent, a bad text or a place that is not on the earth; 6 for
    ///   a field that is missing, or that the type does not have, or that is outside its bounds.
    public static func check(_ send: SendMessage, limits: Limits) throws(WireError) {
        let type = send.type ?? MessageType.text.name
        if type == MessageType.text.name, send.hasOnlyText {
            try TextRules.check(send.text, limits: limits)
            if let mentions = send.mentions { try TextRules.check(mentions, in: send.text, limits: limits) }
            return
        }
        guard let shape = shapes[type] else {
            throw WireError(
                .formatNotSupported, "Messages of this type cannot be sent. The catalogue lists those that can.")
        }
        if shape.needsText || !send.text.isEmpty { try TextRules.check(send.text, limits: limits) }
        if let mentions = send.mentions {
            if !shape.takesMentions { throw odd("mentions", type) }
            try TextRules.check(mentions, in: send.text, limits: limits)
        }
        try check(send.file, "file", isNeeded: shape.needsFile, isTaken: shape.needsFile, type)
        try check(send.thumbnail, "thumbnail", isNeeded: false, isTaken: shape.takesThumbnail, type)
        if let location = send.location {
            if !shape.needsLocation { throw odd("location", type) }
            try check(location)
        } else if shape.needsLocation {
            throw missing("location", type)
        }
        if let attributes = send.attributes {
            if !shape.needsAttributes { throw odd("attributes", type) }
            guard (1...MessageBehaviour.allAttributes).contains(attributes) else {
                throw WireError(.dataFormat, "\"attributes\" must be 1 to \(MessageBehaviour.allAttributes).")
            }
        } else if shape.needsAttributes {
            throw missing("attributes", type)
        }
        if let call = send.call {
            if !shape.needsCall { throw odd("call", type) }
            try call.check(type: type)
        } else if shape.needsCall {
            throw missing("call", type)
        }
        if let extras = send.extras { try check(extras, limits: limits) }
        if let category = send.category { try checkCategory(category) }
    }

    private static func odd(_ field: String, _ type: String) -> WireError {
        WireError(.dataFormat, "A message of the type \"\(type)\" has no \"\(field)\".")
    }

    private static func missing(_ field: String, _ type: String) -> WireError {
        WireError(.dataFormat, "A message of the type \"\(type)\" needs \"\(field)\".")
    }

    private static func check(
        _ file: FileReference?, _ field: String, isNeeded: Bool, isTaken: Bool, _ type: String
    ) throws(WireError) {
        guard let file else {
            if isNeeded { throw missing(field, type) }
            return
        }
        guard isTaken else { throw odd(field, type) }
        if file.fileID.isEmpty { throw WireError(.dataFormat, "\"fileID\" cannot be empty.") }
        try TextRules.checkReference(file.fileID, "fileID")
        if let name = file.name { try TextRules.checkName(name, "A file's name") }
        if let contentType = file.contentType {
            try TextRules.checkReference(contentType, "contentType", most: 255)
        }
        if let size = file.size, size < 0 { throw WireError(.dataFormat, "\"size\" cannot be negative.") }
    }

    private static func check(_ location: Location) throws(WireError) {
        guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
            throw WireError(
                .formatNotSupported, "A latitude must be -90 to 90 and a longitude -180 to 180 degrees.")
        }
        guard location.address?.utf16.count ?? 0 <= 1_000 else {
            throw WireError(.formatNotSupported, "An address can have at most 1000 characters.")
        }
    }

    private static func check(_ extras: [String: String], limits: Limits) throws(WireError) {
        let bytes = extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard extras.count <= limits.extras, bytes <= limits.extrasBytes,
            extras.keys.allSatisfy({ (1...64).contains($0.utf8.count) })
        else {
            throw WireError(
                .dataFormat,
                "\"extras\" can hold \(limits.extras) strings with names of 1 to 64 bytes, "
                    + "\(limits.extrasBytes) bytes in all.")
        }
    }

    /// Checks a category, to send or to ask for.
    /// - Throws: `WireError` 6.
    public static func checkCategory(_ category: String) throws(WireError) {
        let isPlain = category.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, (1...64).contains(category.utf16.count) else {
            throw WireError(.dataFormat, "A category must have 1 to 64 characters and no control characters.")
        }
    }
}

extension SendMessage {
    /// Whether nothing but text, mentions and the place in the order is given: nearly all messages.
    public var hasOnlyText: Bool {
        kind == nil && replyTo == nil && file == nil && thumbnail == nil && location == nil && extras == nil
            && category == nil && attributes == nil && call == nil
    }
}
