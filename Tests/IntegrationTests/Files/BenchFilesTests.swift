import RoostTesting
import Testing

@Suite(.firstPassOnly, .timeLimit(.minutes(2))) struct BenchFilesTests {
    @Test func `the benchmark of files completes and prints its rows, beside nginx if it is installed`() async throws {
        let folder = try TemporaryFolder()
        let child = try Child(
            [
                "files", "--size", "100000", "--count", "2", "--connections", "1", "2", "--uploads", "2", "--rounds",
                "1", "--seconds", "1", "--roost", try ServerProcess.binary(),
            ], environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"],
            binary: try ServerProcess.binary() + "-bench")
        let result = await child.result()
        #expect(result.status == 0, "\(result.errors)")
        let rows = [
            "files (", "  upload, 1", "  download, 1", "  upload, 2", "  download, 2", "  memory", "  sends, idle",
            "  with uploads", "  machine", "  date", "  command",
        ]
        for row in rows { #expect(result.output.contains { $0.hasPrefix(row) }, "\(row)") }
        let hasNginx = result.output.contains { $0.hasPrefix("  to nginx") }
        let isMissing = result.output.contains { $0.contains("apt-get install nginx") }
        #expect(hasNginx != isMissing)
    }
}
