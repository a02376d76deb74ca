import Foundation
import Testing

@testable import roost

@Suite struct ServeTests {
    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::", "fe80::1"])
    func `the address that serve prints is a URL with host and port`(host: String) throws {
        let address = ServeCommand.address(host, 8_080)
        #expect(address == (host.contains(":") ? "[\(host)]:8080" : "\(host):8080"))
        let url = try #require(URL(string: "http://\(address)"))
        #expect(url.port == 8_080)
    }
}
