/// Which messages are valid: the fields of each type and their limits. Pure rules, the same in the server and the SDK.
public enum MessageRules {
    /// The fields of a message type.
    private struct Shape {
        var needsText = false
        var takesMentions = true
        var needsFile = false
        var takesThumbnail = false
        var needsLocation = false
        var needsAttributes = false
        var needsCall = false

        init(of type: MessageContent.SendableType) {
            switch type {
            case .text: needsText = true
            case .sticker: (needsText, takesMentions) = (true, false)
            case .image, .video, .contact: (needsFile, takesThumbnail) = (true, true)
            case .voice, .document: needsFile = true
            case .location: needsLocation = true
            case .screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved: takesMentions = false
            case .callReceived, .callCancelled, .callRecorded: (takesMentions, needsCall) = (false, true)
            case .custom: needsAttributes = true
            case .customQuiet, .customUncounted: break
            }
        }
    }

    /// The types that `message.send` takes, sorted by name.
    public static var types: [String] { MessageContent.SendableType.allCases.map(\.rawValue).sorted() }

    /// Checks a content, except for the rules that depend on the channel: its members, and the answered message.
    /// - Throws: `WireError` 1001 for a type that cannot be sent, a bad text or a place that is not on the earth; 6 for
    ///   a field that is missing, or that the type does not have, or that is outside its bounds.
    public static func check(_ content: MessageContent, limits: Limits) throws(WireError) {
        if content.hasOnlyText, case .text = content.payload {
            try TextRules.check(content.text, limits: limits)
            if let mentions = content.mentions { try TextRules.check(mentions, in: content.text, limits: limits) }
            return
        }
        let name = content.type
        guard let type = MessageContent.SendableType(rawValue: name) else {
            throw WireError(
                .invalidContent, field: "type",
                "Messages of this type cannot be sent. The catalogue lists those that can.")
        }
        let shape = Shape(of: type)
        if shape.needsText || !content.text.isEmpty { try TextRules.check(content.text, limits: limits) }
        if let mentions = content.mentions {
            if !shape.takesMentions { throw odd("mentions", name) }
            try TextRules.check(mentions, in: content.text, limits: limits)
        }
        switch content.payload {
        case .text, .sticker, .image, .video, .contact, .voice, .document, .screenshotTaken, .messageCopied,
            .messagesForwarded, .messageSaved, .customQuiet, .customUncounted:
            break
        case .location(let location): try check(location)
        case .callReceived(let call), .callCancelled(let call), .callRecorded(let call): try check(call, name)
        case .custom(let attributes): try check(attributes: attributes)
        case .vote, .news: throw odd("vote", name)
        case .other(_, let fields, _): throw misfit(fields, shape, name)
        }
        if let extras = content.extras { try check(extras, limits: limits) }
        if let category = content.category { try checkCategory(category) }
    }

    /// Checks the content of a send, as ``check(_:limits:)`` does.
    public static func check(_ send: SendMessage, limits: Limits) throws(WireError) {
        try check(send.content, limits: limits)
    }

    /// The first fault, in the order of the fields, including fields that do not belong to the type.
    private static func misfit(_ fields: MessageContent.Fields, _ shape: Shape, _ type: String) -> WireError {
        do throws(WireError) {
            try check(fields.file, "file", isNeeded: shape.needsFile, isTaken: shape.needsFile, type) { _ in }
            try check(fields.thumbnail, "thumbnail", isNeeded: false, isTaken: shape.takesThumbnail, type) { _ in }
            try check(
                fields.location, "location", isNeeded: shape.needsLocation, isTaken: shape.needsLocation, type, check)
            try check(
                fields.attributes, "attributes", isNeeded: shape.needsAttributes, isTaken: shape.needsAttributes, type,
                check(attributes:))
            try check(fields.call, "call", isNeeded: shape.needsCall, isTaken: shape.needsCall, type) {
                call throws(WireError) in try check(call, type)
            }
            return WireError(
                .dataFormat, field: "type", "A message of the type \"\(type)\" does not have all of these fields.")
        } catch {
            return error
        }
    }

    private static func check<Field>(
        _ field: Field?, _ name: String, isNeeded: Bool, isTaken: Bool, _ type: String,
        _ rule: (Field) throws(WireError) -> Void
    ) throws(WireError) {
        if let field {
            if !isTaken { throw odd(name, type) }
            try rule(field)
        } else if isNeeded {
            throw missing(name, type)
        }
    }

    private static func odd(_ field: String, _ type: String) -> WireError {
        WireError(.dataFormat, field: field, "A message of the type \"\(type)\" has no \"\(field)\". Leave it out.")
    }

    private static func missing(_ field: String, _ type: String) -> WireError {
        WireError(.dataFormat, field: field, "A message of the type \"\(type)\" needs \"\(field)\".")
    }

    private static func check(_ call: CallNotice, _ type: String) throws(WireError) {
        try WireError.inside("call") { () throws(WireError) in try call.check(type: type) }
    }

    private static func check(attributes: Int) throws(WireError) {
        guard (1...MessageBehaviour.allAttributes).contains(attributes) else {
            throw WireError(
                .dataFormat, field: "attributes", "\"attributes\" must be 1 to \(MessageBehaviour.allAttributes).")
        }
    }

    private static func check(_ location: Location) throws(WireError) {
        guard (-90...90).contains(location.latitude) else {
            throw WireError(
                .invalidContent, field: "location.latitude", "A latitude must be -90 to 90 degrees.")
        }
        guard (-180...180).contains(location.longitude) else {
            throw WireError(
                .invalidContent, field: "location.longitude", "A longitude must be -180 to 180 degrees.")
        }
        guard location.address?.utf16.count ?? 0 <= 1_000 else {
            throw WireError(
                .invalidContent, field: "location.address", "An address can have at most 1000 characters.")
        }
    }

    private static func check(_ extras: [String: String], limits: Limits) throws(WireError) {
        let bytes = extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard extras.count <= limits.extras, bytes <= limits.extrasBytes,
            extras.keys.allSatisfy({ (1...64).contains($0.utf8.count) })
        else {
            throw WireError(
                .dataFormat, field: "extras",
                "\"extras\" can hold \(limits.extras) strings with names of 1 to 64 bytes, "
                    + "\(limits.extrasBytes) bytes in all.")
        }
    }

    /// Checks a category, to send or to ask for.
    /// - Throws: `WireError` 6.
    public static func checkCategory(_ category: String) throws(WireError) {
        let isPlain = category.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, (1...64).contains(category.utf16.count) else {
            throw WireError(
                .dataFormat, field: "category",
                "\"category\" must have 1 to 64 characters and no control characters.")
        }
    }
}
