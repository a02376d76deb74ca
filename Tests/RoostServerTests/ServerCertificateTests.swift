import Foundation
import RoostTesting
import Testing

@testable import RoostServer

@Suite struct ServerCertificateTests {
    private let files = try? TestCertificate()

    private func load() throws -> ServerCertificate {
        let files = try #require(files)
        return try ServerCertificate(certificate: files.certificate, key: files.key)
    }

    @Test func `the last quarter of a short life is announced`() throws {
        let certificate = try load()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let hour: Int64 = 3_600_000
        // It lasts for two days.
        #expect(certificate.daysLeft(now: now) == nil)
        #expect(certificate.daysLeft(now: now + 35 * hour) == nil)
        #expect(certificate.daysLeft(now: now + 37 * hour) == 0)
        #expect(certificate.daysLeft(now: now + 49 * hour) == -1)
    }

    @Test func `two weeks of a long life are announced`() throws {
        let files = try #require(files)
        try TestCertificate.openssl([
            "req", "-x509", "-key", files.key, "-out", files.certificate, "-days", "90", "-subj", "/CN=localhost",
        ])
        let certificate = try load()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let day: Int64 = 86_400_000
        #expect(certificate.daysLeft(now: now + 75 * day) == nil)
        #expect(certificate.daysLeft(now: now + 77 * day) == 12)
        #expect(certificate.daysLeft(now: now + 91 * day) == -1)
    }

    @Test func `files that did not change are not loaded again`() throws {
        let certificate = try load()
        let context = certificate.context
        #expect(try !certificate.reload())
        #expect(certificate.context === context)
        let other = try TestCertificate()
        try FileManager.default.removeItem(atPath: try #require(files).key)
        #expect(throws: SecretError.self) { try certificate.reload() }
        for (path, new) in [(\TestCertificate.key), \.certificate].map({
            (files?[keyPath: $0] ?? "", other[keyPath: $0])
        }) {
            try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: try #require(files).key)
        #expect(try certificate.reload())
        #expect(certificate.context !== context)
        #expect(try !certificate.reload())
    }
}
