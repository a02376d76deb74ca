import Foundation
import RoostFiles
import RoostTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct S3LocationTests {
    @Test func `the address of Amazon's own store needs a region and names the bucket in the host`() throws {
        let location = try S3Location(url: "s3://my-bucket/a/b/?region=eu-central-1")
        #expect(location.host == "my-bucket.s3.eu-central-1.amazonaws.com")
        #expect(location.prefix == "a/b/" && location.isSecure && !location.isPathStyle)
        #expect(try S3Location(url: "s3://my.bucket?region=eu-west-1").host == "s3.eu-west-1.amazonaws.com")
    }

    @Test func `an address with an endpoint names the bucket in the path`() throws {
        let location = try S3Location(url: "s3://files?endpoint=http%3A%2F%2F127.0.0.1:9000/&region=eu-central-1")
        #expect(location.host == "127.0.0.1:9000" && location.isPathStyle && !location.isSecure)
        #expect(location.prefix == "" && location.region == "eu-central-1")
        let other = try S3Location(url: "s3://files/x?endpoint=https://S3.Example.org:443&style=virtual")
        #expect(other.host == "files.s3.example.org" && other.region == "us-east-1")
        #expect(try S3Location(url: "s3://files?endpoint=http://[::1]:9000").host == "[::1]:9000")
    }

    @Test(arguments: [
        "s4://files?region=a", "s3://", "s3://Files?region=a", "s3://fi?region=a", "s3://-files?region=a", "s3://files",
        "s3://files/../x?region=a", "s3://files/a b?region=a", "s3://files?region=", "s3://files?region=a&region=b",
        "s3://files?region=a&colour=red", "s3://files?region=a&style=other", "s3://files?region",
        "s3://files?endpoint=ftp://host", "s3://files?endpoint=http://", "s3://files?endpoint=http://host:0",
        "s3://files?endpoint=http://host:99999", "s3://files?endpoint=http://host/path", "s3://files?endpoint=http%3",
        "s3://files?endpoint=http://a%0Ab", "s3://files?endpoint=http://a?b",
    ])
    func `an address that is not exactly understood is refused`(url: String) {
        let error = #expect(throws: FileStoreError.self) { try S3Location(url: url) }
        #expect(error?.description.contains("Example: s3://") == true)
    }

    @Test(arguments: [
        "s3://KEY:hunter2@files?region=a", "s3://files?region=a&secret_access_key=hunter2",
        "s3://files?access_key=hunter2", "s3://files?endpoint=https://KEY:hunter2@host",
        "s3://files?X-Amz-Token=hunter2",
    ])
    func `keys in an address are refused without being repeated`(url: String) {
        let error = #expect(throws: FileStoreError.self) { try S3Location(url: url) }
        #expect(error?.description.contains("contains keys") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func `keys come from the variables of Roost, else from those of Amazon`() throws {
        var environment = ["AWS_ACCESS_KEY_ID": "theirs", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"]
        #expect(try S3Credentials(environment: environment).accessKey == "theirs")
        environment["ROOST_S3_ACCESS_KEY_ID"] = "ours"
        #expect(throws: FileStoreError.self) { try S3Credentials(environment: environment) }
        environment["ROOST_S3_SECRET_ACCESS_KEY"] = "s"
        #expect(try S3Credentials(environment: environment).accessKey == "ours")
        environment["ROOST_S3_SECRET_ACCESS_KEY"] = "line\nbreak"
        #expect(throws: FileStoreError.self) { try S3Credentials(environment: environment) }
        #expect(throws: FileStoreError.self) { try S3Credentials(environment: [:]) }
    }

    @Test func `a file with keys is refused if others can read it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let text = "[default]\n# for files\naws_access_key_id = ours\naws_secret_access_key = a/b+c=\n"
        let files = FileManager.default
        #expect(files.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
        let keys = try S3Credentials(environment: ["ROOST_S3_CREDENTIALS_FILE": path, "AWS_ACCESS_KEY_ID": "x"])
        #expect(keys.accessKey == "ours" && "\(keys)" == "S3Credentials(ours)")
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!dumped.contains("a/b+c"))
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let error = #expect(throws: FileStoreError.self) {
            try S3Credentials(environment: ["ROOST_S3_CREDENTIALS_FILE": path])
        }
        #expect(error?.description.contains("chmod 600") == true && error?.description.contains("a/b+c") == false)
    }
}
