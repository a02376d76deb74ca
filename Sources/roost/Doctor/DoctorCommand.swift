import ArgumentParser
import Foundation
import RoostWire

/// Looks for what is wrong with an installation.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what is wrong with an installation, or will be, and say what to do.",
        discussion: """
            Looks at settings, rights of files, disks, limits, clocks, the database, the other servers, NATS, the object store, push \
            services, certificates, backups, and the way through the proxy. The options are those of roost serve, such as --config \
            FILE. Run it as the user of the server, while the server runs or not; it changes nothing.

              sudo -u roost roost doctor --config /etc/roost/roost.yaml

            It ends with 0 if nothing is wrong, with 1 if there is a fault, and with 2 if the settings are wrong. Warnings do not count.
            """)

    @Flag(help: "Print one JSON object per finding.")
    var json = false

    @Flag(help: "Print only faults and warnings.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "A check that is left out, by the name in the first column, such as disk-speed. Repeatable.",
            valueName: "check"))
    var skip: [String] = []

    @Argument(parsing: .allUnrecognized, help: "Options of roost serve.")
    var arguments: [String] = []

    func validate() throws {
        try ConfigCommand.checkNames(arguments)
        let names = Doctor.checks.map(\.name)
        for name in skip where !names.contains(name) {
            throw ValidationError("There is no check \(name). The checks are: \(names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let settings = try ConfigCommand.settings(arguments)
        let doctor = Doctor(serve: try Roost.serve(settings), settings: settings)
        var counts: [Finding.Level: Int] = [:]
        for check in Doctor.checks where !skip.contains(check.name) {
            for var finding in await check.look(doctor) {
                finding.check = check.name
                counts[finding.level, default: 0] += 1
                try show(finding)
            }
        }
        if !json {
            func count(_ level: Finding.Level, _ one: String, _ many: String) -> String {
                let count = counts[level] ?? 0
                return "\(count) \(count == 1 ? one : many)"
            }
            Terminal.printLine("\(count(.fault, "fault", "faults")), \(count(.warning, "warning", "warnings"))")
        }
        if counts[.fault] != nil { throw ExitCode(ExitStatus.refused) }
    }

    private func show(_ finding: Finding) throws {
        guard !quiet || [.fault, .warning].contains(finding.level) else { return }
        if json { return Terminal.printLine(String(decoding: try WireCodec.encode(finding), as: UTF8.self)) }
        let name = finding.check.padding(toLength: Doctor.nameWidth, withPad: " ", startingAt: 0)
        let level = finding.level.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        Terminal.printLine(name + level + finding.text)
        guard let advice = finding.advice else { return }
        Terminal.printLine(String(repeating: " ", count: Doctor.nameWidth + 9) + "→ " + advice)
    }
}
