import RoostCore
package import RoostWire

extension TestCore {
    /// Creates a file of a user and completes its upload, without any bytes: it exists only in the core.
    package func file(
        of user: UserID, _ name: String = "photo.jpg", _ contentType: String = "image/jpeg", size: Int64 = 1_000,
        hash: [UInt8]? = nil
    ) async throws -> FileReference {
        let actor = Actor(user: User(userID: user, name: user.rawValue), deviceID: "files", isOperator: false)
        let create = CreateFile(name: name, size: size, contentType: contentType)
        guard case .accepted(let json) = await core.handle(create.any, id: transID(), from: actor) else {
            throw WireError(.internalFault)
        }
        let id = try WireCodec.decode(FileUpload.self, from: json).fileID
        _ = try await core.completeUpload(
            id, of: user, UploadedBytes(hash: hash ?? Array(id.rawValue.utf8), contentType: contentType),
            storedAs: id.rawValue)
        return FileReference(fileID: id, name: name, contentType: contentType, size: size)
    }
}

extension TestSession {
    /// Creates a file of this user and completes its upload, without any bytes: it exists only in the core.
    package func file(
        _ name: String = "photo.jpg", _ contentType: String = "image/jpeg", size: Int64 = 1_000, hash: [UInt8]? = nil
    ) async throws -> FileReference {
        try await harness.file(of: actor.user.userID, name, contentType, size: size, hash: hash)
    }
}
