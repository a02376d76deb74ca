import Foundation
import NIOCore
import RoostTesting
import Testing

@testable import RoostFiles

@Suite(.timeLimit(.minutes(1))) struct LogFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/log.jsonl" }

    init() throws { folder = try TemporaryFolder() }

    private func text(_ number: Int? = nil) -> String? {
        try? String(contentsOfFile: path + (number.map { ".\($0)" } ?? ""), encoding: .utf8)
    }

    private func put(_ text: String, _ number: Int? = nil) throws {
        try text.write(toFile: path + (number.map { ".\($0)" } ?? ""), atomically: false, encoding: .utf8)
    }

    private func file(_ most: Int64 = 20, files: Int = 3) -> LogFile {
        LogFile(path: path, maxBytes: most, maxFiles: files)
    }

    @Test func `a full file is renamed, and only so many are kept`() throws {
        let log = file()
        for number in 10..<22 { try log.append(Array("line \(number)\n".utf8), isDurable: false) }
        #expect(text() == "line 20\nline 21\n")
        #expect(text(1) == "line 18\nline 19\n")
        #expect(text(2) == "line 16\nline 17\n")
        #expect(text(3) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `lines that are larger than a file are written whole`() throws {
        let log = file(4)
        try log.append(Array("first line\n".utf8), isDurable: true)
        try log.append(Array("second line\n".utf8), isDurable: true)
        #expect(text() == "second line\n" && text(1) == "first line\n")
    }

    @Test func `a rename that was interrupted loses nothing`() throws {
        // The process ended between the rename of the first old file and that of the current one.
        try put("aaaaaaaaaaaaaaaaaaa\n")
        try put("bbb\n", 2)
        try put("ccc\n", 3)
        try file(files: 4).append(Array("new\n".utf8), isDurable: false)
        #expect(text() == "new\n" && text(1) == "aaaaaaaaaaaaaaaaaaa\n")
        #expect(text(2) == "bbb\n" && text(3) == "ccc\n")
    }

    @Test func `a line that was cut does not swallow the next one`() throws {
        try put("whole\ncut")
        try file().append(Array("next\n".utf8), isDurable: false)
        #expect(text() == "whole\ncut\nnext\n")
    }

    @Test func `a file that was moved or deleted is made again`() throws {
        let log = file()
        try log.append(Array("one\n".utf8), isDurable: false)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try log.append(Array("two\n".utf8), isDurable: false)
        #expect(text() == "two\n")
    }

    @Test func `lines that do not fit on the disk leave no part of them`() throws {
        try put("whole\n")
        let log = LogFile(path: path, maxBytes: 100, maxFiles: 2) {
            bytes, offset, descriptor, path throws(FileStoreError) in
            let half = bytes.getSlice(at: 0, length: bytes.readableBytes / 2) ?? ByteBuffer()
            try LocalFile.write(half, at: offset, descriptor, path)
            throw FileStoreError(.full, "There is no room.")
        }
        #expect(throws: FileStoreError.self) { try log.append(Array("a longer line\n".utf8), isDurable: true) }
        #expect(text() == "whole\n")
    }

    #if os(Linux)
        @Test func `a full device is an error`() throws {
            let log = LogFile(path: "/dev/full", maxBytes: 100, maxFiles: 2)
            #expect(throws: FileStoreError.self) { try log.append(Array("line\n".utf8), isDurable: false) }
        }
    #endif

    @Test func `a folder or a link in its place is an error`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: FileStoreError.self) { try file().append(Array("line\n".utf8), isDurable: false) }
        let link = folder.path + "/link.jsonl"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/target")
        let linked = LogFile(path: link, maxBytes: 100, maxFiles: 2)
        #expect(throws: FileStoreError.self) { try linked.append(Array("line\n".utf8), isDurable: false) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/target"))
    }
}
