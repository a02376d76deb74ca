import Testing

/// Runs all tests. SwiftPM would write this file itself, but on Linux only after it has read an index of every package,
/// which takes a fifth of the time of a clean build.
@main
struct Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
