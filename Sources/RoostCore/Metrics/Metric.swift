/// Something that a server counts or measures.
///
/// The names stay as they are, because dashboards and alerts are written for them; docs/metrics.md lists them.
package struct Metric: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It only grows while a server runs.
        case counter
        case gauge
        /// How often a value was at most each of these, which are in ascending order.
        case histogram([Double])
    }

    package let name: String
    package let kind: Kind
    /// The names of what it is counted by.
    package let labels: [String]
    package let help: String

    package static func == (one: Metric, other: Metric) -> Bool { one.name == other.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private init(_ name: String, _ kind: Kind, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }

    private static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

// MARK: What is used

extension Metric {
    package static let sessions = Metric("roost_sessions", .gauge, "Sessions over a WebSocket, logged in or not.")
    package static let sockets = Metric("roost_sockets", .gauge, "Open sockets, over HTTP and WebSocket.")
    package static let connectionBytes = Metric(
        "roost_connection_bytes", .gauge, "Bytes that all connections hold.")
    package static let connectionMaxBytes = Metric(
        "roost_connection_max_bytes", .gauge, "How many they may hold, as --connection-memory says.")
    package static let logins = Metric(
        "roost_logins_total", .counter, by: ["result"], "Sessions over a WebSocket that were accepted or refused.")
    package static let deliveries = Metric(
        "roost_deliveries_total", .counter, "Events and answers that were written to sessions.")
    package static let slowReaders = Metric(
        "roost_slow_readers_total", .counter,
        "Sessions that were closed because they read too slowly, or held too much memory.")
}

// MARK: Commands

extension Metric {
    package static let commands = Metric(
        "roost_commands_total", .counter, by: ["name", "code"],
        "Commands and requests for files that were answered, by the code of the error; 0 if they were accepted.")
    /// The name of what is no command.
    package static let unknownCommand = "unknown"
    package static let commandSeconds = Metric(
        "roost_command_seconds", .histogram(seconds), by: ["name"], "From a command to its answer.")
    package static let commitSeconds = Metric(
        "roost_commit_seconds", .histogram(seconds), "Transactions that change data, until they are durable.")
    package static let batchCommands = Metric(
        "roost_batch_commands", .histogram([1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]),
        "Commands and logins that share a transaction.")
    package static let queueCommands = Metric(
        "roost_queue_commands", .gauge, "Commands and logins that wait for their transaction.")
    package static let lockWaitSeconds = Metric(
        "roost_lock_wait_seconds", .histogram(seconds),
        "The part of a transaction of PostgreSQL in which it locks and reads what it changes.")
    package static let channelReloads = Metric(
        "roost_channel_reloads_total", .counter, "Channels read anew because another server had changed them.")
    package static let dueLagSeconds = Metric(
        "roost_due_lag_seconds", .gauge, by: ["task"], "How long a task in the background has been due and not done.")
    package static let taskFailures = Metric(
        "roost_task_failures_total", .counter, by: ["task"], "Turns of such a task that failed and are tried again.")
}

// MARK: Several servers

extension Metric {
    package static let busUp = Metric("roost_bus_up", .gauge, "1 if all other servers are heard over the bus, else 0.")
    package static let busLagSeconds = Metric(
        "roost_bus_lag_seconds", .gauge, "How long ago all that other servers had committed was known.")
    package static let busGaps = Metric(
        "roost_bus_gaps_total", .counter, "How often sessions were ended because commits of others were removed unread."
    )
    package static let busFilledRows = Metric(
        "roost_bus_filled_rows_total", .counter, "Rows of others that were read from the database to deliver them.")
    package static let busMissed = Metric(
        "roost_bus_missed_total", .counter, "Logs of which rows had not arrived until they were looked for: a fault.")
    package static let nodes = Metric("roost_nodes", .gauge, "Servers that use the database.")
}

// MARK: Stores

extension Metric {
    package static let databaseUp = Metric(
        "roost_database_up", .gauge, "1 if the database was read for these figures within two seconds, else 0.")
    package static let databaseDamaged = Metric(
        "roost_database_damaged", .gauge, "1 if /readyz names damage in the database, else 0.")
    package static let databaseBytes = Metric("roost_database_bytes", .gauge, "The size of the database.")
    package static let diskFreeBytes = Metric(
        "roost_disk_free_bytes", .gauge, "What is free on the disk of the data folder.")
    package static let uploads = Metric("roost_uploads", .gauge, "Uploads that are not finished.")
    package static let certificateEnd = Metric(
        "roost_certificate_end_timestamp_seconds", .gauge, "When the certificate expires, in seconds since 1970.")
    package static let newestBackup = Metric(
        "roost_backup_newest_timestamp_seconds", .gauge,
        "When the newest backup of --backup-to was begun that is not known to be damaged, in seconds since 1970; 0 if none."
    )
    package static let backupFailures = Metric(
        "roost_backup_failures_total", .counter, "Backups of --backup-to that failed or did not pass their check.")
}

// MARK: Push

extension Metric {
    package static let pushOutboxAge = Metric(
        "roost_push_outbox_age_seconds", .gauge,
        "The age of the oldest notification that is not sent, also if it is tried again.")
    package static let pushes = Metric(
        "roost_pushes_total", .counter, by: ["gateway", "result"], "Notifications that were handed to a service.")
}

// MARK: The process

extension Metric {
    package static let ready = Metric("roost_ready", .gauge, "1 if /readyz says so, else 0.")
    package static let build = Metric(
        "roost_build_info", .gauge, by: ["version", "commit", "schema", "protocol"], "1, with what runs.")
    package static let processSeconds = Metric(
        "process_cpu_seconds_total", .counter, "Time of the processors, in seconds.")
    package static let processBytes = Metric("process_resident_memory_bytes", .gauge, "Memory of the process.")
    package static let processDescriptors = Metric("process_open_fds", .gauge, "Open file descriptors.")
    package static let processMaxDescriptors = Metric("process_max_fds", .gauge, "How many of them there may be.")
    package static let processStart = Metric(
        "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.")

    /// All of them, in the order in which they are shown.
    package static let all = [
        build, ready, sessions, sockets, connectionBytes, connectionMaxBytes, logins, deliveries, slowReaders, commands,
        commandSeconds,
        commitSeconds, batchCommands, queueCommands, lockWaitSeconds, channelReloads, dueLagSeconds, taskFailures,
        busUp,
        busLagSeconds,
        busGaps, busFilledRows, busMissed, nodes, databaseUp, databaseDamaged, databaseBytes, diskFreeBytes, uploads,
        certificateEnd,
        newestBackup, backupFailures, pushOutboxAge, pushes, processSeconds, processBytes, processDescriptors,
        processMaxDescriptors, processStart,
    ]
}
