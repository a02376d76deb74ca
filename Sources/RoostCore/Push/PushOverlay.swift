/// What is known of devices between two batches.
struct PushCache {
    /// Whether there is known to be a device; without one, nothing makes push notifications.
    var hasDevices: Bool
    /// Whether there may be a device that shows a notification.
    var hasShown: Bool

    init(_ connection: any SQLConnection) throws {
        hasDevices = try !connection.rows("SELECT 1 FROM devices LIMIT 1") { try $0.int(0) }.isEmpty
        hasShown = try !connection.rows("SELECT 1 FROM shown_pushes LIMIT 1") { try $0.int(0) }.isEmpty
    }
}

/// The parts of a commit that trigger push notifications.
struct PushOverlay {
    var known: PushCache
    /// Written at the end of the transaction.
    var items: [PushItem] = []
}
