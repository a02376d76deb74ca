/// The schema migrations, one numbered list for all engines; released entries never change.
package enum Migrations {
    package static let all: [Migration] = beforeFirstRelease.map(Migration.additive) + [twoNumbers]

    /// The oldest schema whose versions work with a database of this version.
    static let oldest = all.compactMap(\.oldest).max() ?? 1

    private static let beforeFirstRelease: [[Query]] = [
        initial, schedules, forwardsAndVotes, news, broadcasts, retention, reactions, expiry, files, pushes,
        access, accounts, userDeletions, shownPushes, outboxBytes, userIDs,
        bansAndReports, historyStarts, networksAndOperators, invitesFrom, checksums,
        refreshLogins, visitors, pins, nodes, commits, connections, attempts, spools,
        deletesMessages,
    ]

    /// The version from which on servers note themselves in `nodes`, and those that have ended in `ended_nodes`.
    static let firstWithNodes = 25
    static let firstWithEndedNodes = 27
    /// The version from which on `schema_version` has the oldest schema that can work with the database.
    static let firstWithTwoNumbers = 31
    /// The version from which on it is known of deleted users whether their messages are deleted, too.
    package static let firstWithDeletedMessages: Int64 = 30

    // Nothing before it was released. Its schema is that of version 0.1.0.
    private static let twoNumbers = Migration.contracting(
        ["ALTER TABLE schema_version ADD COLUMN oldest \(.int) NOT NULL DEFAULT 1"], oldest: firstWithTwoNumbers)

    // Whether the messages of a deleted user are deleted, too, for a restore of an earlier backup; null for others.
    private static let deletesMessages: [Query] = ["ALTER TABLE users ADD COLUMN deletes_messages \(.int)"]

    // Which server has the bytes of an unfinished upload, by the name of its spool, and where the others reach it.
    private static let spools: [Query] = [
        "ALTER TABLE files ADD COLUMN spool \(.text)",
        "ALTER TABLE nodes ADD COLUMN spool \(.text)",
        "ALTER TABLE nodes ADD COLUMN url \(.text)",
    ]

    // Attempts to log in, if there are several servers: how many since the first one of a window.
    private static let attempts: [Query] = [
        "CREATE TABLE attempts (id \(.text) PRIMARY KEY, begun_at \(.int) NOT NULL, count \(.int) NOT NULL)",
        "CREATE INDEX attempts_begun_at ON attempts (begun_at)",
    ]

    // Who is connected to which of several servers, and how many sessions of each take part in open channels. Times are by
    // the clock of the server, `seen_at` is its last sign of life, and `is_superseded` is 1 if the device has a session that
    // began later.
    private static let connections: [Query] = [
        """
        CREATE TABLE connections (
            user_id \(.text) NOT NULL, device_id \(.text) NOT NULL, node \(.text) NOT NULL, number \(.int) NOT NULL,
            begun_at \(.int) NOT NULL, is_superseded \(.int) NOT NULL DEFAULT 0,
            PRIMARY KEY (user_id, device_id, node, number))
        """,
        "CREATE INDEX connections_node ON connections (node, number)",
        """
        CREATE TABLE participants (
            channel \(.text) NOT NULL, node \(.text) NOT NULL, count \(.int) NOT NULL, PRIMARY KEY (channel, node))
        """,
        "CREATE INDEX participants_node ON participants (node)",
        "ALTER TABLE nodes ADD COLUMN seen_at \(.int) NOT NULL DEFAULT 0",
        "CREATE TABLE ended_nodes (id \(.text) PRIMARY KEY, ended_at \(.int) NOT NULL)",
    ]

    // What each commit has moved, for the other servers that use the database now; kept for ten minutes.
    private static let commits: [Query] = [
        """
        CREATE TABLE commits (
            writer \(.text) NOT NULL, number \(.int) NOT NULL, body \(.blob) NOT NULL, PRIMARY KEY (writer, number))
        """
    ]

    // The servers that use the database now, if several processes can.
    private static let nodes: [Query] = [
        """
        CREATE TABLE nodes (
            id \(.text) PRIMARY KEY, place \(.text), address \(.text) NOT NULL, version \(.text) NOT NULL,
            schema \(.int) NOT NULL, settings \(.text) NOT NULL, beat \(.int) NOT NULL)
        """,
        // The server that holds this row decides whether it may join them.
        "INSERT INTO meta (name, value) VALUES ('nodes', '')",
    ]

    // `pinned_seq` is the row that announced the pin.
    private static let pins: [Query] = [
        """
        CREATE TABLE pins (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, message_id \(.text) NOT NULL, pinned_seq \(.int) NOT NULL,
            user_id \(.text) NOT NULL, pinned_at \(.int) NOT NULL,
            PRIMARY KEY (channel, seq))
        """
    ]

    // The only user whom a visitor may talk to; null for everybody else.
    private static let visitors: [Query] = ["ALTER TABLE users ADD COLUMN host \(.text)"]

    private static let refreshLogins: [Query] = [
        // A login that a browser keeps. `number` is that of its newest refresh token, `replaced_at` when that replaced the one
        // before; `ends_at` is when the login ends however often it is used, and `key_id` the key of the code or token that began it.
        """
        CREATE TABLE refresh_logins (
            user_id \(.text) NOT NULL, token_id \(.text) NOT NULL, name \(.text), image_url \(.text),
            is_operator \(.int) NOT NULL, key_id \(.text), number \(.int) NOT NULL, replaced_at \(.int) NOT NULL,
            used_at \(.int) NOT NULL, expires_at \(.int) NOT NULL, ends_at \(.int),
            PRIMARY KEY (user_id, token_id))
        """,
        "CREATE INDEX refresh_logins_expiring ON refresh_logins (expires_at)",
    ]

    // From here on content has checksums, which earlier versions would take for a part of it. Stored content stays as it is.
    private static let checksums: [Query] = []

    // `last_user` is the last processed user; `content` contains the messages and the segment.
    private static let broadcasts: [Query] = [
        """
        CREATE TABLE broadcasts (
            id \(.text) PRIMARY KEY, state \(.text) NOT NULL, created_by \(.text) NOT NULL, sender \(.text) NOT NULL,
            created_at \(.int) NOT NULL, finished_at \(.int), user_count \(.int) NOT NULL, done \(.int) NOT NULL,
            sent \(.int) NOT NULL, refusals \(.blob) NOT NULL, last_user \(.text) NOT NULL, content \(.blob) NOT NULL)
        """,
        "CREATE INDEX broadcasts_unfinished ON broadcasts (state, id) WHERE finished_at IS NULL",
        // The process that holds this row sends; its value is the broadcast that was processed last.
        "INSERT INTO meta (name, value) VALUES ('broadcasts', '')",
    ]

    private static let forwardsAndVotes: [Query] = [
        // The origin of a forwarded message, stored apart from its row because every reader gets the row.
        """
        CREATE TABLE forwards (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, from_channel \(.text) NOT NULL, from_id \(.text) NOT NULL,
            PRIMARY KEY (channel, seq))
        """,
        // `counts` holds the number of votes per option, joined by commas.
        """
        CREATE TABLE votes (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, closes_at \(.int), closed_at \(.int),
            revision \(.int) NOT NULL, counts \(.text) NOT NULL, voters \(.int) NOT NULL,
            PRIMARY KEY (channel, seq))
        """,
        "CREATE INDEX votes_due ON votes (closes_at, channel, seq) WHERE closed_at IS NULL AND closes_at IS NOT NULL",
        // `chosen` has one bit per option; it is 0 if the ballot was withdrawn.
        """
        CREATE TABLE ballots (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, user_id \(.text) NOT NULL, chosen \(.int) NOT NULL,
            cast_at \(.int) NOT NULL,
            PRIMARY KEY (channel, seq, user_id))
        """,
    ]

    private static let news: [Query] = [
        // The news channels, a small part of all channels. `walk` is the pending change to all subscribers, done for
        // those up to `after_user`.
        """
        CREATE TABLE news (
            channel \(.text) PRIMARY KEY, kind \(.text) NOT NULL, walk \(.text), after_user \(.text) NOT NULL)
        """,
        """
        CREATE TABLE news_expiry (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, valid_until \(.int) NOT NULL,
            PRIMARY KEY (channel, seq))
        """,
        "CREATE INDEX news_expiry_due ON news_expiry (valid_until, channel, seq)",
        "ALTER TABLE channels ADD COLUMN newest_piece_seq \(.int) NOT NULL DEFAULT 0",
    ]

    // Rows up to `purged_seq` are purged, even if they are not deleted yet; `purge_row` is the row that announces it.
    // Only purge batches write these columns.
    private static let retention: [Query] = [
        "ALTER TABLE channels ADD COLUMN purged_seq \(.int) NOT NULL DEFAULT 0",
        "ALTER TABLE channels ADD COLUMN purge_row \(.int) NOT NULL DEFAULT 0",
    ]

    private static let reactions: [Query] = [
        // One row per message and emoji. `emoji` is the normalized key, `shown` the first spelling used.
        """
        CREATE TABLE reaction_kinds (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, emoji \(.blob) NOT NULL, shown \(.text) NOT NULL,
            count \(.int) NOT NULL, first_seq \(.int) NOT NULL,
            PRIMARY KEY (channel, seq, emoji))
        """,
        // `added_seq` is the row that announced the reaction.
        """
        CREATE TABLE reactions (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, emoji \(.blob) NOT NULL, user_id \(.text) NOT NULL,
            added_seq \(.int) NOT NULL,
            PRIMARY KEY (channel, seq, emoji, user_id))
        """,
        "CREATE INDEX reactions_by_row ON reactions (channel, seq, added_seq)",
        "CREATE INDEX reactions_by_emoji ON reactions (channel, seq, emoji, added_seq)",
    ]

    // Expired rows are found by their time alone. New rows go to the end of these indexes. Neither is unique, so they
    // can be local to a shard.
    private static let expiry: [Query] = [
        "CREATE INDEX command_keys_by_time ON command_keys (sent_at)",
        "CREATE INDEX user_log_by_time ON user_log (sent_at)",
        // The process that holds this row deletes expired rows.
        "INSERT INTO meta (name, value) VALUES ('expiry', '')",
    ]

    // `bytes_key` names the bytes in the storage, once all have arrived; several files with the same bytes share it.
    // `expires_at` is when a file that nothing uses is deleted. `thumbnail` is the file that the server has made of it,
    // if that was used in time.
    private static let files: [Query] = [
        """
        CREATE TABLE files (
            id \(.text) PRIMARY KEY, owner \(.text) NOT NULL, name \(.text) NOT NULL, content_type \(.text),
            size \(.int) NOT NULL, width \(.int), height \(.int), duration \(.int), blur_hash \(.text),
            created_at \(.int) NOT NULL, expires_at \(.int), bytes_key \(.text), hash \(.blob), thumbnail \(.text))
        """,
        "CREATE INDEX files_by_owner ON files (owner, bytes_key, size)",
        "CREATE INDEX files_by_key ON files (bytes_key) WHERE bytes_key IS NOT NULL",
        "CREATE INDEX files_by_hash ON files (hash, created_at) WHERE hash IS NOT NULL",
        "CREATE INDEX files_expiring ON files (expires_at) WHERE expires_at IS NOT NULL",
        // `holder` is the channel of a message, the owner of a schedule or a broadcast; `part` is the schedule.
        """
        CREATE TABLE file_uses (
            kind \(.int) NOT NULL, holder \(.text) NOT NULL, part \(.text) NOT NULL, seq \(.int) NOT NULL,
            file \(.text) NOT NULL,
            PRIMARY KEY (holder, kind, part, seq, file))
        """,
        "CREATE INDEX file_uses_by_file ON file_uses (file, kind, holder, seq)",
        // Bytes that no file has any more and that the storage still has to delete.
        "CREATE TABLE file_removals (bytes_key \(.text) PRIMARY KEY)",
    ]

    private static let pushes: [Query] = [
        // `gateway` is null if the device has no address. `address_at` is when it was set: what happened earlier is not
        // notified.
        """
        CREATE TABLE devices (
            user_id \(.text) NOT NULL, device_id \(.text) NOT NULL, gateway \(.text), token \(.text), voip_token \(.text),
            address \(.blob), address_at \(.int), settings \(.blob) NOT NULL,
            PRIMARY KEY (user_id, device_id))
        """,
        "CREATE UNIQUE INDEX devices_by_token ON devices (token, gateway) WHERE token IS NOT NULL",
        "CREATE UNIQUE INDEX devices_by_voip_token ON devices (voip_token, gateway) WHERE voip_token IS NOT NULL",
        // What a commit has done that makes notifications, until the devices to notify are known.
        "CREATE TABLE push_outbox (id \(.text) PRIMARY KEY, items \(.text) NOT NULL)",
        // Notifications to send to one device each: of a row in a channel's log, or of an event. A process that sends
        // one moves `due_at` to when another may try.
        """
        CREATE TABLE pushes (
            id \(.text) PRIMARY KEY, gateway \(.text) NOT NULL, user_id \(.text) NOT NULL, device_id \(.text) NOT NULL,
            channel \(.text), seq \(.int), event \(.blob), created_at \(.int) NOT NULL, due_at \(.int) NOT NULL,
            attempts \(.int) NOT NULL)
        """,
        "CREATE INDEX pushes_due ON pushes (gateway, due_at, id)",
        "CREATE INDEX pushes_by_device ON pushes (user_id, device_id)",
    ]

    private static let access: [Query] = [
        // Without a token id, tokens of the user issued up to `valid_after` are refused, and `flags` say what the user may
        // not do; otherwise this token is refused, or this one-time code was used. `expires_at` is when it expires anyway.
        """
        CREATE TABLE restrictions (
            user_id \(.text) NOT NULL, token_id \(.text) NOT NULL, valid_after \(.int) NOT NULL, flags \(.int) NOT NULL,
            changed_at \(.int) NOT NULL, expires_at \(.int),
            PRIMARY KEY (user_id, token_id))
        """,
        "CREATE INDEX restrictions_by_time ON restrictions (changed_at)",
        "CREATE INDEX restrictions_expiring ON restrictions (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE logins (
            user_id \(.text) NOT NULL, device_id \(.text) NOT NULL, token_id \(.text) NOT NULL,
            connected_at \(.int) NOT NULL, expires_at \(.int) NOT NULL,
            PRIMARY KEY (user_id, device_id, token_id))
        """,
        "CREATE INDEX logins_expiring ON logins (expires_at)",
    ]

    // `login_key` is the login name in lower case, `password` a hash with its parameters; both are null for a user without a
    // password.
    private static let accounts: [Query] = [
        """
        CREATE TABLE accounts (
            user_id \(.text) PRIMARY KEY, login_key \(.text), login_name \(.text), phone \(.text), email \(.text),
            password \(.text), created_at \(.int) NOT NULL)
        """,
        "CREATE UNIQUE INDEX accounts_by_login ON accounts (login_key) WHERE login_key IS NOT NULL",
        "CREATE UNIQUE INDEX accounts_by_phone ON accounts (phone) WHERE phone IS NOT NULL",
        """
        CREATE TABLE api_keys (
            hash \(.text) PRIMARY KEY, name \(.text) NOT NULL, user_id \(.text) NOT NULL, scopes \(.text) NOT NULL,
            created_at \(.int) NOT NULL, revoked_at \(.int))
        """,
        "CREATE UNIQUE INDEX api_keys_by_name ON api_keys (name) WHERE revoked_at IS NULL",
    ]

    private static let userDeletions: [Query] = [
        "ALTER TABLE users ADD COLUMN deleted_at \(.int)",
        // Deleted users whose data is being erased. Rows of `phase` are done up to `position`, and up to `seq` there.
        """
        CREATE TABLE user_deletions (
            user_id \(.text) PRIMARY KEY, trans_id \(.text) NOT NULL, deletes_messages \(.int) NOT NULL,
            phase \(.int) NOT NULL, position \(.text) NOT NULL, seq \(.int) NOT NULL)
        """,
    ]

    private static let shownPushes: [Query] = [
        "ALTER TABLE pushes ADD COLUMN withdrawal \(.text)",
        // What devices show, to be withdrawn when it was read elsewhere or recalled.
        """
        CREATE TABLE shown_pushes (
            user_id \(.text) NOT NULL, channel \(.text) NOT NULL, seq \(.int) NOT NULL, device_id \(.text) NOT NULL,
            expires_at \(.int) NOT NULL,
            PRIMARY KEY (user_id, channel, seq, device_id))
        """,
        "CREATE INDEX shown_pushes_by_row ON shown_pushes (channel, seq, user_id, device_id)",
        "CREATE INDEX shown_pushes_by_time ON shown_pushes (expires_at)",
    ]

    // The outbox as bytes, which can be encrypted. Rows with a backslash are lost: no SQL of both engines turns it into a byte.
    private static let outboxBytes: [Query] = [
        "CREATE TABLE push_items (id \(.text) PRIMARY KEY, items \(.blob) NOT NULL)",
        #"""
        INSERT INTO push_items (id, items)
        SELECT id, CAST(items AS \#(.blob)) FROM push_outbox WHERE REPLACE(items, '\', '') = items
        """#,
        "DROP TABLE push_outbox",
        "ALTER TABLE push_items RENAME TO push_outbox",
    ]

    private static let historyStarts: [Query] = [
        // Up to now it was not kept where the history of a member began, and where the member had cleared it later.
        "ALTER TABLE members ADD COLUMN past_seq \(.int) NOT NULL DEFAULT 0",
        """
        UPDATE members SET past_seq = CASE WHEN floor_seq < joined_seq THEN floor_seq ELSE joined_seq - 1 END
        WHERE floor_seq > 0 AND joined_seq > 1
        """,
        "ALTER TABLE accounts ADD COLUMN corp_id \(.text)",
        "ALTER TABLE files ADD COLUMN custom_field \(.text)",
    ]

    // Who may make the user a member of a group without asking: 0 everybody, 1 contacts, 2 nobody.
    private static let invitesFrom: [Query] = [
        "ALTER TABLE users ADD COLUMN invites_from \(.int) NOT NULL DEFAULT 0"
    ]

    private static let bansAndReports: [Query] = [
        "ALTER TABLE members ADD COLUMN banned_until \(.int)",
        // `target` is a user id, or a channel id and a message id; an id contains no space.
        """
        CREATE TABLE reports (
            id \(.text) PRIMARY KEY, reporter \(.text) NOT NULL, target \(.text) NOT NULL, user_id \(.text),
            channel \(.text), at \(.int) NOT NULL, closed_at \(.int), closed_by \(.text), content \(.blob) NOT NULL)
        """,
        "CREATE UNIQUE INDEX reports_once ON reports (reporter, target)",
        "CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL",
        "CREATE INDEX reports_closed ON reports (closed_at, id) WHERE closed_at IS NOT NULL",
    ]

    private static let networksAndOperators: [Query] = [
        // `network` is a hash of the network and the user; `last_at` is when the user has last logged in from there, to
        // the day.
        """
        CREATE TABLE login_networks (
            user_id \(.text) NOT NULL, network \(.text) NOT NULL, last_at \(.int) NOT NULL,
            PRIMARY KEY (user_id, network))
        """,
        "CREATE INDEX login_networks_by_time ON login_networks (last_at)",
        // The users who have used the server as operators; some of them have left a trace before.
        "CREATE TABLE operators (user_id \(.text) PRIMARY KEY)",
        """
        INSERT INTO operators (user_id)
        SELECT b.created_by FROM broadcasts b JOIN users u ON u.id = b.created_by AND u.deleted_at IS NULL
        UNION
        SELECT r.closed_by FROM reports r JOIN users u ON u.id = r.closed_by AND u.deleted_at IS NULL
        """,
    ]

    private static let userIDs: [Query] = [
        // Registration refuses ids that differ by case only.
        "CREATE INDEX users_by_lower_id ON users (LOWER(id))"
    ]

    private static let initial: [Query] = [
        "CREATE TABLE meta (name \(.text) PRIMARY KEY, value \(.text) NOT NULL)",
        """
        CREATE TABLE users (
            id \(.text) PRIMARY KEY, name \(.text) NOT NULL, image_url \(.text),
            seq \(.int) NOT NULL, last_sent_at \(.int) NOT NULL, own_fields \(.int) NOT NULL DEFAULT 0)
        """,
        // Users whose new name or picture others are still to be told of, in the order of their ids, after `last_told`.
        """
        CREATE TABLE profile_notices (
            user_id \(.text) PRIMARY KEY, fields \(.int) NOT NULL, trans_id \(.text) NOT NULL,
            last_told \(.text) NOT NULL)
        """,
        """
        CREATE TABLE channels (
            id \(.text) PRIMARY KEY, kind \(.text) NOT NULL, title \(.text), profile \(.text),
            seq \(.int) NOT NULL, count \(.int) NOT NULL, last_sent_at \(.int) NOT NULL, last_message_seq \(.int) NOT NULL,
            member_count \(.int) NOT NULL, created_at \(.int) NOT NULL, created_by \(.text), dismissed_at \(.int),
            version \(.int) NOT NULL)
        """,
        // A banned or invited user has a row with that role and a `left_seq`, like a former member with role 0.
        """
        CREATE TABLE members (
            channel \(.text) NOT NULL, user_id \(.text) NOT NULL, role \(.int) NOT NULL, joined_seq \(.int) NOT NULL,
            left_seq \(.int), floor_seq \(.int) NOT NULL, hidden_seq \(.int) NOT NULL, flags \(.int) NOT NULL,
            nickname \(.text), image_url \(.text),
            PRIMARY KEY (channel, user_id))
        """,
        // Details of a membership that the writer need not cache. `cleared_seq` outlives the membership: the row up
        // to which the user has cleared the channel.
        """
        CREATE TABLE member_details (
            channel \(.text) NOT NULL, user_id \(.text) NOT NULL, changed_at \(.int) NOT NULL, joined_at \(.int),
            join_method \(.int), by_user \(.text), left_at \(.int), left_reason \(.text), ringtone \(.text),
            cleared_seq \(.int),
            PRIMARY KEY (channel, user_id))
        """,
        "CREATE INDEX members_by_user ON members (user_id, channel)",
        """
        CREATE TABLE read_marks (
            channel \(.text) NOT NULL, user_id \(.text) NOT NULL, seq \(.int) NOT NULL, count \(.int) NOT NULL,
            read_at \(.int) NOT NULL,
            PRIMARY KEY (channel, user_id))
        """,
        // `behind` marks a message whose sender had unread messages before it. Only these own messages require a
        // correction of unread counts, hence the partial index.
        """
        CREATE TABLE channel_log (
            channel \(.text) NOT NULL, seq \(.int) NOT NULL, sender \(.text), trans_id \(.text), hash \(.int),
            sent_at \(.int) NOT NULL, count \(.int) NOT NULL, behind \(.int) NOT NULL, flags \(.int) NOT NULL,
            category \(.text), frame \(.blob) NOT NULL,
            PRIMARY KEY (channel, seq))
        """,
        "CREATE UNIQUE INDEX channel_log_keys ON channel_log (trans_id, sender) WHERE trans_id IS NOT NULL",
        "CREATE INDEX channel_log_behind ON channel_log (channel, sender, seq) WHERE behind = 1",
        // Rows with a counted message that was recalled (5), or a message that was recalled silently (6, 7).
        "CREATE INDEX channel_log_recalled ON channel_log (channel, seq) WHERE flags >= 5",
        "CREATE INDEX channel_log_categories ON channel_log (channel, category, seq) WHERE category IS NOT NULL",
        "CREATE TABLE mentions (channel \(.text) NOT NULL, user_id \(.text) NOT NULL, seq \(.int) NOT NULL, PRIMARY KEY (channel, user_id, seq))",
        "CREATE TABLE replies (channel \(.text) NOT NULL, parent_seq \(.int) NOT NULL, seq \(.int) NOT NULL, PRIMARY KEY (channel, parent_seq, seq))",
        """
        CREATE TABLE deletions (
            channel \(.text) NOT NULL, user_id \(.text) NOT NULL, seq \(.int) NOT NULL, is_counted \(.int) NOT NULL,
            PRIMARY KEY (channel, user_id, seq))
        """,
        // `at` is 0 if the block was removed.
        """
        CREATE TABLE blocks (
            user_id \(.text) NOT NULL, blocked \(.text) NOT NULL, at \(.int) NOT NULL,
            PRIMARY KEY (user_id, blocked))
        """,
        """
        CREATE TABLE user_log (
            user_id \(.text) NOT NULL, seq \(.int) NOT NULL, sent_at \(.int) NOT NULL, frame \(.blob) NOT NULL,
            PRIMARY KEY (user_id, seq))
        """,
        """
        CREATE TABLE command_keys (
            user_id \(.text) NOT NULL, trans_id \(.text) NOT NULL, hash \(.int) NOT NULL, sent_at \(.int) NOT NULL,
            answer \(.blob) NOT NULL,
            PRIMARY KEY (user_id, trans_id))
        """,
    ]

    // Due schedules are found by their time alone. The index is not unique, so it can be local to a shard.
    private static let schedules: [Query] = [
        """
        CREATE TABLE schedules (
            user_id \(.text) NOT NULL, id \(.text) NOT NULL, send_at \(.int) NOT NULL, content \(.blob) NOT NULL,
            PRIMARY KEY (user_id, id))
        """,
        "CREATE INDEX schedules_by_time ON schedules (send_at, id)",
        // The process that holds this row sends due schedules.
        "INSERT INTO meta (name, value) VALUES ('schedules', '')",
    ]
}
