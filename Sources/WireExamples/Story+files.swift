import RoostWire

// Files: the commands with their answers.
extension Story {
    func files() throws -> [Examples.Exchange] {
        let (photo, thumbnail) = (photo(), thumbnail())
        var described = photo
        described.customField = "album-7"
        return [
            try exchange(
                CreateFile(
                    name: "cake.jpg", size: 183_204, contentType: "image/jpeg", width: 1_600, height: 1_200,
                    blurHash: photo.blurHash, customField: "album-7"), id: "t-0061",
                answer: FileUpload(
                    transID: try Self.id("t-0061"), fileID: photo.fileID, path: FileRules.path(of: photo.fileID),
                    expiresAt: at(86_760), file: described)),
            try exchange(
                GetFiles(fileIDs: [photo.fileID, thumbnail.fileID]), id: "29",
                answer: GetFiles.Answer(files: [
                    StoredFile(file: described, link: link(to: photo), linkExpiresAt: at(970)),
                    StoredFile(file: thumbnail, link: link(to: thumbnail), linkExpiresAt: at(970)),
                ])),
            try exchange(
                DeleteFile(fileID: try Self.id("7c23d04b669c3e51f72af8a0b3e4d513")), id: "t-0062",
                answer: try acknowledged(nil, transID: "t-0062", at: 375)),
        ]
    }

    private func link(to file: FileReference) -> String {
        FileRules.path(of: file.fileID) + "?user=ann&until=\(at(970).milliseconds)&signature="
            + "5b1f6f0c2f5e0a3f8f4d8f1f0f7f3f9f2f6f1f4f8f0f5f7f3f1f9f6f2f4f8f0f"
    }
}
