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

    @Test func `connections get a quarter of the memory, within bounds`() {
        #expect(MachineMemory.quarter(of: 2 << 30) == 512 << 20)
        #expect(MachineMemory.quarter(of: 100 << 20) == 64 << 20)
        #expect(MachineMemory.quarter(of: .max) == 4 << 30)
        #expect(MachineMemory.bytes > 0)
    }

    @Test func `the least limit of the control groups around the server counts`() {
        let files = [
            "/sys/fs/cgroup/system.slice/roost.service/memory.max": "max\n",
            "/sys/fs/cgroup/system.slice/memory.max": "536870912\n",
            "/sys/fs/cgroup/memory.max": "1073741824\n",
            "/sys/fs/cgroup/memory/docker/a:b/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
        ]
        func limit(_ groups: String) -> Int? { MachineMemory.limit(groups: groups) { files[$0] } }
        #expect(limit("0::/system.slice/roost.service\n") == 512 << 20)
        #expect(limit("0::/\n") == 1 << 30)
        #expect(limit("12:cpu:/x\n5:blkio,memory:/docker/a:b\n0::/unknown\n") == 256 << 20)
        #expect(limit("0::/..\n") == 1 << 30)
        #expect(MachineMemory.limit(groups: "0::/\n") { _ in nil } == nil)
        for groups in ["", "::", "memory", "1:cpu:/\n"] { #expect(limit(groups) == nil || groups == "::") }
    }
}
