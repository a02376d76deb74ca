public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChatClient {
    /// Sets where the push notifications of this device go, in place of what was there; its settings stay.
    ///
    /// Call it whenever the system gives the app a token: the same address again changes nothing. With `removesOthers`,
    /// all other devices of the user are no longer notified. With the same `transID` it is executed once.
    /// - Throws: `.dataFormat` for an address without a token, or a value that does not fit the service.
    public func setPushAddress(
        _ address: PushAddress, removesOthers: Bool = false, transID: TransID? = nil
    ) async throws(RoostError) {
        let command = SetDeviceAddress(address: address, removesOthers: removesOthers ? true : nil)
        _ = try await perform(command, under: transID)
    }

    /// Everything about the push notifications of this device: its address with tokens, and its settings.
    ///
    /// A device for which nothing was set has no address and the default settings.
    public func device() async throws(RoostError) -> Device { try await perform(GetDevice()) }

    /// This user's devices that have an address or settings of their own, ordered by id; without tokens, keys and secrets.
    public func devices() async throws(RoostError) -> [Device] { try await perform(ListDevices()).devices }

    /// Changes when and how this device is notified; absent values stay unchanged.
    ///
    /// With the same `transID` it is executed once.
    /// - Throws: `.dataFormat` if nothing is given, or for a value out of its bounds.
    public func setDeviceSettings(
        _ settings: SetDeviceSettings, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(settings, under: transID)
    }

    /// Sets whether notifications of this device leave out who has sent a message, and what it says: true hides.
    public func setPushPreview(hidesSender: Bool, hidesContent: Bool) async throws(RoostError) {
        try await setDeviceSettings(SetDeviceSettings(hidesSender: hidesSender, hidesContent: hidesContent))
    }

    /// Sets the sound of notifications of this device: a path or a resource of the app of at most 512 bytes; nil for the
    /// usual one.
    public func setPushSound(_ sound: String?, for type: PushSoundType = .all) async throws(RoostError) {
        let sound = sound ?? ""
        try await setDeviceSettings(
            SetDeviceSettings(sound: type == .calls ? nil : sound, voipSound: type == .messages ? nil : sound))
    }

    /// Sets whether this device gets no notifications at all.
    public func setPushMuted(_ isMuted: Bool) async throws(RoostError) {
        try await setDeviceSettings(SetDeviceSettings(mutesAll: isMuted))
    }

    /// Suspends notifications of this device until a time; a time in the past, or nil, ends that.
    ///
    /// It has no effect while all notifications are muted.
    public func suspendPushes(until time: Date?) async throws(RoostError) {
        try await setDeviceSettings(SetDeviceSettings(mutedUntil: time ?? Date(milliseconds: 0)))
    }

    /// Removes a device of this user with its address and its settings: this one, or the one with this id.
    ///
    /// Call it before the user logs out, so that the device is no longer notified. If there is no such device, nothing
    /// changes. With the same `transID` it is executed once.
    public func removeDevice(_ id: DeviceID? = nil, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(RemoveDevice(deviceID: id), under: transID)
    }
}

/// Which notifications a sound is for.
public enum PushSoundType: Int, CaseIterable, Sendable {
    /// All.
    case all = 0
    /// Ordinary ones.
    case messages = 1
    /// Those of calls.
    case calls = 2
}
