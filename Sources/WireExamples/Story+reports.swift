import RoostWire

// Reports of messages and users, with their answers.
extension Story {
    func reports() throws -> [Examples.Exchange] {
        let reported = try message(
            pair, 2, from: bob, "Cheap watches!", transID: "t-0069", at: 21, count: 2)
        let report = Report(
            reportID: "019b76da4c2f9c3e51d721f04b66", at: at(300), byUser: ann, user: bob, channel: pair,
            message: reported, before: [], category: "spam", text: "Sells watches")
        return [
            try exchange(
                CreateReport(channel: pair, messageID: messageID(2, 21), category: "spam", text: "Sells watches"),
                id: "t-0076", answer: try acknowledged(pair, transID: "t-0076", at: 300)),
            try exchange(
                CreateReport(userID: bob.userID, category: "harassment"), id: "t-0077", "user",
                answer: try acknowledged(nil, transID: "t-0077", at: 301)),
            try exchange(
                ListReports(limit: 20), id: "32", answer: ListReports.Answer(reports: [report], next: nil)),
            try exchange(
                CloseReport(reportID: report.reportID, note: "Recalled"), id: "o-0018",
                answer: try acknowledged(nil, transID: "o-0018", at: 310)),
        ]
    }
}
