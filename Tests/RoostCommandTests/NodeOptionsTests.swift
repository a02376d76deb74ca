import ArgumentParser
import Foundation
import Testing

@testable import roost

/// Where other servers reach one.
@Suite struct NodeOptionsTests {
    private static let cases: [(host: String, port: Int, options: [String], url: String?)] = [
        ("10.0.0.1", 7_878, [], "http://10.0.0.1:7878"),
        ("::1", 80, [], "http://[::1]:80"),
        ("0.0.0.0", 7_878, [], "http://\(ProcessInfo.processInfo.hostName):7878"),
        ("::", 7_878, [], "http://\(ProcessInfo.processInfo.hostName):7878"),
        ("10.0.0.1", 0, [], nil),
        ("10.0.0.1", 0, ["--internal-url", "https://one.example.com"], "https://one.example.com"),
        ("0.0.0.0", 7_878, ["--internal-url", "http://10.0.0.2:80/"], "http://10.0.0.2:80"),
    ]

    @Test(arguments: cases)
    func `a server is reached where it listens, or where it says`(
        host: String, port: Int, options: [String], url: String?
    ) throws {
        #expect(try NodeOptions.parse(options).url(host, port) == url)
    }
}
