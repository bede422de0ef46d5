//! The same attacks on every address that the server knows: long addresses and heads, bodies that are too long, broken or slow, methods,
//! names and origins of others.

use super::*;

/// Addresses that are read.
const READ: [&str; 26] = [
    "/",
    "/records",
    "/records/61",
    "/review",
    "/review/61",
    "/changes",
    "/runs",
    "/runs/one",
    "/compare",
    "/spot-checks",
    "/production",
    "/production/week.md",
    "/production/0123456789ab",
    "/points",
    "/configuration",
    "/strategies.json",
    "/jobs",
    "/jobs/1",
    "/jobs/1/events",
    "/pictures/00",
    "/api/metrics",
    "/metrics",
    "/login",
    "/assets/desk.css",
    "/assets/desk.js",
    "/nothing",
];

/// Addresses that are written, with the longest body that each takes and its type.
const WRITTEN: [(&str, usize, &str); 4] = [
    ("/api/traces", 1 << 20, "application/json"),
    ("/v1/traces", 4 << 20, "application/json"),
    ("/do/collect", 64 << 10, "application/x-www-form-urlencoded"),
    ("/login", 64 << 10, "application/x-www-form-urlencoded"),
];

/// Every address of the router is in one of the lists.
#[test]
fn no_address_is_left_out() {
    let source =
        [include_str!("../../../src/desk/routes.rs"), include_str!("../../../src/server.rs")].concat();
    let routes = source.split(".route(").skip(1).map(|rest| rest.split('"').nth(1).unwrap());
    let known: Vec<&str> = READ.into_iter().chain(WRITTEN.map(|(path, ..)| path)).collect();
    let mut count = 0;
    for route in routes {
        let parts: Vec<&str> = route.split('/').collect();
        let fits = |path: &&str| {
            let given: Vec<&str> = path.split('/').collect();
            given.len() == parts.len()
                && given.iter().zip(&parts).all(|(given, part)| given == part || part.starts_with('{'))
        };
        assert!(known.iter().any(fits), "{route}");
        count += 1;
    }
    assert!(count >= 28, "{count}");
}

/// Sends bytes and reads what comes until the server closes the connection.
async fn raw(server: &Server, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let host = server.address;
    // the server may have answered and closed before all is sent
    let _ = stream.write_all(format!("{head}Host: {host}\r\nConnection: close\r\n\r\n").as_bytes()).await;
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "{head}: the server waits on");
    let text = String::from_utf8_lossy(&answer);
    text.split(' ').nth(1).unwrap_or("closed").to_owned()
}

#[tokio::test]
async fn every_address_refuses_what_is_too_long_or_of_somebody_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let long = "x".repeat(600_000);
    for path in READ {
        assert_eq!(raw(&server, &format!("GET {path}?q={long} HTTP/1.1\r\n"), b"").await, "431", "{path}");
        assert_eq!(
            raw(&server, &format!("GET {path} HTTP/1.1\r\nX: {long}\r\n"), b"").await,
            "431",
            "{path}"
        );
        let fields = "X: y\r\n".repeat(200);
        assert_eq!(raw(&server, &format!("GET {path} HTTP/1.1\r\n{fields}"), b"").await, "431", "{path}");
        for method in [reqwest::Method::PUT, reqwest::Method::DELETE, reqwest::Method::PATCH] {
            let answer =
                client().request(method.clone(), format!("{}{path}", server.base)).send().await.unwrap();
            let refused = [StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_FOUND];
            assert!(refused.contains(&answer.status()), "{method} {path}: {}", answer.status());
        }
        let foreign = client().get(format!("{}{path}", server.base)).header("host", "evil.example");
        assert_eq!(foreign.send().await.unwrap().status(), StatusCode::FORBIDDEN, "{path}");
        let answer = client().get(format!("{}{path}", server.base)).send().await.unwrap();
        assert!(
            answer.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'")
        );
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff", "{path}");
    }
    for (path, most, kind) in WRITTEN {
        let address = format!("{}{path}", server.base);
        for (name, value) in
            [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site"), ("host", "evil.example")]
        {
            let answer = client().post(&address).header(name, value).header("content-type", kind).body("{}");
            assert_eq!(answer.send().await.unwrap().status(), StatusCode::FORBIDDEN, "{path} {name}");
        }
        // said before it is sent, and said by nobody
        let body = vec![b' '; most + 1];
        let head = format!("POST {path} HTTP/1.1\r\nContent-Type: {kind}\r\n");
        assert_eq!(
            raw(&server, &format!("{head}Content-Length: {}\r\n", body.len()), &body).await,
            "413",
            "{path}"
        );
        let chunk = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
        assert_eq!(
            raw(&server, &format!("{head}Transfer-Encoding: chunked\r\n"), &chunk).await,
            "413",
            "{path}"
        );
        for broken in [&b"{\"a\": \xff\xfe"[..], b"csrf=%ff%00&x=\x00", b"[[[[[[[[", b"\x1f\x8b\x08\x00", b""]
        {
            let status = raw(&server, &format!("{head}Content-Length: {}\r\n", broken.len()), broken).await;
            assert!(["400", "403"].contains(&status.as_str()), "{path}: {status} for {broken:?}");
        }
        let deep = "[".repeat(100_000);
        let status =
            raw(&server, &format!("{head}Content-Length: {}\r\n", deep.len()), deep.as_bytes()).await;
        assert!(["400", "403", "413"].contains(&status.as_str()), "{path}: {status}");
    }
    // and it goes on
    assert_eq!(page(&server, "/").await.0, StatusCode::OK);
    assert_eq!(server.metrics().await["windows"][2]["requests"], 0);
    server.end().await;
}

#[tokio::test]
#[ignore = "slow: it waits for the server's patience to end"]
async fn every_address_gives_up_a_head_or_a_body_that_does_not_come() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let slow = WRITTEN.map(|(path, _, kind)| {
        format!("POST {path} HTTP/1.1\r\nContent-Type: {kind}\r\nContent-Length: 100\r\n")
    });
    let head = async {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nX: ").await.unwrap();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut Vec::new())).await;
        assert!(read.is_ok(), "the server waits on");
    };
    let all = slow.iter().map(async |head| assert_eq!(raw(&server, head, b"{").await, "408", "{head}"));
    tokio::join!(head, futures::future::join_all(all));
    server.end().await;
}
