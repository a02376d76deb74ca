import RoostFiles
import Testing

/// The examples of Amazon's description of Signature Version 4.
@Suite(.timeLimit(.minutes(1))) struct S3SignatureTests {
    private let signature = S3Signature(
        S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private let host = "examplebucket.s3.amazonaws.com"
    /// 20130524T000000Z.
    private let time: Int64 = 1_369_353_600_000
    private let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private func authorization(_ request: S3Request, payload: String) -> String {
        var request = request
        signature.sign(&request, payload: payload, at: time)
        return request.headers.first { $0.name == "authorization" }?.value ?? ""
    }

    private func expected(_ names: String, _ signature: String) -> String {
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=\(names), "
            + "Signature=\(signature)"
    }

    @Test func `reading a part of an object is signed as Amazon signs it`() {
        var request = S3Request("GET", host: host, path: "/test.txt")
        request.headers = [("range", "bytes=0-9")]
        #expect(
            authorization(request, payload: emptyHash)
                == expected(
                    "host;range;x-amz-content-sha256;x-amz-date",
                    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
    }

    @Test func `storing an object with a dollar in its name is signed as Amazon signs it`() {
        var request = S3Request("PUT", host: host, path: "/test$file.text")
        request.headers = [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
        #expect(
            authorization(request, payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
                == expected(
                    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test func `a parameter without a value is signed as Amazon signs it`() {
        var request = S3Request("GET", host: host, path: "/")
        request.query = [("lifecycle", "")]
        #expect(
            authorization(request, payload: emptyHash)
                == expected(
                    "host;x-amz-content-sha256;x-amz-date",
                    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    }

    @Test func `listing with parameters in any order is signed as Amazon signs it`() {
        var request = S3Request("GET", host: host, path: "/")
        request.query = [("prefix", "J"), ("max-keys", "2")]
        #expect(
            authorization(request, payload: emptyHash)
                == expected(
                    "host;x-amz-content-sha256;x-amz-date",
                    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test func `a link is signed as Amazon signs it`() {
        var request = S3Request("GET", host: host, path: "/test.txt")
        signature.presign(&request, lifetime: 86_400, at: time)
        let value = request.query.first { $0.name == "X-Amz-Signature" }?.value
        #expect(value == "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        #expect(
            request.target.hasPrefix(
                "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2F"))
    }

    @Test func `a link of the store is valid for ten minutes at most and says how to show the file`() throws {
        let store = S3Store(
            try S3Location(url: "s3://examplebucket/files?region=us-east-1"),
            S3Credentials(accessKey: "key", secretKey: "secret-key", sessionToken: "a/b"),
            threads: FileThreads(count: 1), now: { 1_369_353_600_000 })
        let link = try #require(
            store.link(
                to: "abc", contentType: "image/png", disposition: "inline; filename*=UTF-8''a%20b", lifetime: 90_000))
        #expect(link.hasPrefix("https://examplebucket.s3.us-east-1.amazonaws.com/files/bytes/abc?X-Amz-Algorithm="))
        #expect(link.contains("&X-Amz-Expires=600&") && link.contains("&response-content-type=image%2Fpng"))
        #expect(link.contains("&response-content-disposition=inline%3B%20filename%2A%3DUTF-8%27%27a%2520b&"))
        #expect(link.contains("&X-Amz-Security-Token=a%2Fb&") && !link.contains("secret-key"))
    }
}
