import Foundation
public import RoostClient
public import RoostWire

/// A file that goes out with what is written.
public struct Attachment: Hashable, Sendable, Identifiable {
    /// How far a file has come.
    public enum State: Hashable, Sendable {
        /// It was picked; ``ComposerModel/send()`` sends it.
        case picked
        /// It waits for the connection, or for those before it.
        case waiting
        /// It is being uploaded: the completed part, 0 to 1.
        case uploading(fraction: Double)
        /// It was not uploaded, and nothing was sent. Retry or discard it.
        case failed(RoostError)
    }

    /// The key of its message.
    public let id: TransID
    /// The file on this device; it must stay where it is until it is sent.
    public let file: LocalFile
    /// How far it has come. One that was sent is no attachment any more: it is in the timeline.
    public internal(set) var state = State.picked
    /// Whether the queue has it.
    var isQueued = false

    /// The type of its message, by its media type: `image`, `video`, `voice`, `contact` or `document`.
    public var type: String { MessageContent.file(FileReference(fileID: "local", contentType: file.mediaType)).type }
}

extension ComposerModel {
    /// Whether files are on their way.
    public var isBusy: Bool {
        attachments.contains {
            switch $0.state {
            case .waiting, .uploading: true
            case .picked, .failed: false
            }
        }
    }

    /// The media types that the picker behind the file button offers: pictures and films.
    public static var pickerTypes: [String] { ["image/*", "video/*"] }

    /// Notes that a picker of files opens. The connection stays until ``closePicker()``, although the app may go to
    /// the background meanwhile. Calling it again changes nothing.
    public func openPicker() {
        guard !isPickerOpen else { return }
        isPickerOpen = true
        client.holdConnection()
    }

    /// Notes that the picker was closed, with or without a file. Without an open one it does nothing.
    public func closePicker() {
        guard isPickerOpen else { return }
        isPickerOpen = false
        client.releaseConnection()
    }

    /// Adds a file that a picker gave: the original if there is one, otherwise the edited version.
    ///
    /// Nothing is uploaded before ``send()``. The file must stay where it is until it is sent or discarded.
    /// - Returns: the key of the attachment; nil if the picker gave nothing.
    @discardableResult
    public func attach(original: LocalFile?, edited: LocalFile? = nil) -> TransID? {
        guard let file = original ?? edited else { return nil }
        let attachment = Attachment(id: makeTransID(), file: file)
        attachments.append(attachment)
        keepDraft()
        return attachment.id
    }

    /// Takes an attachment away: one that was picked, is on its way, or has failed.
    public func removeAttachment(_ id: TransID) async {
        guard let attachment = attachments.first(where: { $0.id == id }) else { return }
        if attachment.state != .picked {
            await discard(id)
            if problem?.code == .tooLate { return }
        }
        attachments.removeAll { $0.id == id }
        keepDraft()
    }

    /// Attaches the files of a draft again; the failure names the first one that is not there any more.
    func restore(_ files: [LocalFile]) {
        for file in files {
            if FileManager.default.isReadableFile(atPath: file.path) {
                attachments.append(Attachment(id: makeTransID(), file: file))
            } else {
                problem = problem ?? RoostError(.fileFailed, "\(file.displayName) is not there any more.")
            }
        }
    }

    /// Uploads and sends an attachment again that has failed.
    public func retryAttachment(_ id: TransID) async {
        guard case .failed = attachments.first(where: { $0.id == id })?.state else { return }
        set(id, .waiting)
        await retry(id)
        follow(id)
    }

    /// Puts the picked files into the queue: the first one with the text.
    func sendAttachments(
        _ enqueue: (LocalFile, TransID, _ isFirst: Bool) -> PendingMessage
    ) -> PendingMessage? {
        var first: PendingMessage?
        for attachment in attachments where attachment.state == .picked {
            let pending = enqueue(attachment.file, attachment.id, first == nil)
            first = first ?? pending
            set(attachment.id, .waiting)
            follow(attachment.id)
            whenNotStored(pending) { $0.set(attachment.id, .picked) }
        }
        return first
    }

    /// Notes what has become of the attachments in the queue.
    func update(_ queue: [QueuedMessage]) {
        for attachment in attachments where attachment.state != .picked {
            guard let queued = queue.first(where: { $0.transID == attachment.id }) else {
                // It is not in the queue yet, or not any more.
                if attachment.isQueued { attachments.removeAll { $0.id == attachment.id } }
                continue
            }
            guard let index = attachments.firstIndex(where: { $0.id == attachment.id }) else { continue }
            attachments[index].isQueued = true
            switch queued.state {
            case .failed(let error):
                if attachments[index].state != .failed(error) { problem = error }
                attachments[index].state = .failed(error)
            case .sent: attachments.remove(at: index)
            case .sending: if case .failed = attachment.state { attachments[index].state = .waiting }
            }
        }
    }

    func set(_ id: TransID, _ state: Attachment.State) {
        guard let index = attachments.firstIndex(where: { $0.id == id }) else { return }
        attachments[index].state = state
    }

    func noteProgress(_ progress: TransferProgress, of id: TransID) {
        guard !progress.isThumbnail, let state = attachments.first(where: { $0.id == id })?.state else { return }
        switch state {
        case .waiting, .uploading: set(id, .uploading(fraction: progress.fraction))
        case .picked, .failed: break
        }
    }
}
