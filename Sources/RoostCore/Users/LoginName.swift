import Foundation
import RoostWire

/// Login names as they are stored and compared.
package enum LoginName {
    /// A login name as it is stored: without white space at its ends, and in form C of Unicode.
    package static func normalized(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }

    /// What login names are compared by: equal without regard to case, and to how accents are written.
    package static func key(of name: String) -> String {
        normalized(name).lowercased().precomposedStringWithCanonicalMapping
    }

    /// The name of a user who has given none: the login name, as far as a name may be long.
    static func shown(_ name: String) -> String {
        var name = name
        while name.utf16.count > 200 { name.removeLast() }
        return name
    }
}
