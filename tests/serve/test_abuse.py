"""What a server must withstand: wrong requests of every kind get the right status and a sentence, and cost little."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.serve.servers import BYTES, LIGHT, Client, running

HOSTILE_NAMES = (
    "../../etc/passwd.xyz",
    "..\\..\\windows.xyz",
    "/etc/cron.d/job.xyz",
    "C:\\cloud.xyz",
    "nul\x00.xyz",
    "line\nbreak.xyz",
    "bell\x07.xyz",
    "turned\u202etxt.xyz",
    "x" * 5000 + ".xyz",
    ".xyz",
    "cloud",
    "cloud.exe",
    "cloud.xyz/",
    "",
)


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: repr(name[:12]))
def test_names_of_files_lead_nowhere(light: Client, name: str) -> None:
    response = light.submit(b"points", name=name)
    assert response.status == 400
    assert "name must be" in response.json["error"]


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/static/../settings.py",
        "/api/jobs/..%2f..%2fjobs.sqlite",
        "/api/jobs/%00",
        "/page.js/../guard.py",
        "//etc/passwd",
        "/index.html",
        "/api/",
        "/api/jobs",
        "/api/tasks/../health/",
    ],
)
def test_paths_lead_nowhere(light: Client, path: str) -> None:
    response = light.get(path)
    assert response.status == 404
    assert response.json["error"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "name=a.xyz&name=b.xyz",
        "name=a.xyz&color=red",
        "name=a.xyz&weights=lighter",
        "name=a.xyz&weights=..%2Flight",
        "name=a.xyz&up=w",
        "name=a.png",
    ],
)
def test_wrong_queries_are_refused_in_a_sentence(light: Client, query: str) -> None:
    response = light.ask("POST", f"/api/tasks/segmentation?{query}", b"points", **BYTES)
    assert response.status == 400
    assert response.json["error"]


@pytest.mark.parametrize("seed", ["-1", "1e3", "x", "٣", "99999999999", "1 ", ""])
def test_wrong_seeds_are_refused(light: Client, seed: str) -> None:
    assert light.ask("POST", f"/api/samples/room?seed={quote(seed)}").status == 400


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/json"]
)
def test_other_content_types_are_refused(light: Client, kind: str) -> None:
    """Those that a form of another site could send are among them."""
    path = "/api/tasks/segmentation?name=a.xyz"
    assert light.ask("POST", path, b"points", Content_Type=kind).status == 415
    assert light.ask("POST", path, b"points").status == 415


def test_unknown_methods_are_refused(light: Client) -> None:
    for method, path in (("PUT", "/api/tasks/segmentation"), ("POST", "/api/health"), ("TRACE", "/"), ("PATCH", "/")):
        response = light.ask(method, path)
        assert response.status == 405
        assert response.headers["allow"]
    assert light.ask("POST", "/api/tasks/levitation?name=a.xyz", b"", **BYTES).status == 404
    assert light.ask("POST", "/api/samples/castle").status == 404


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:80",
        "a@localhost",
        "",
        "[::1",
        "x y",
    ],
)
def test_names_that_were_made_to_lead_here_are_refused(light: Client, host: str) -> None:
    """DNS rebinding: the browser believes to talk to the page's own server, but it sends that server's name."""
    assert light.get("/api/offer", Host=host).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "[::1]:80"])
def test_own_names_are_accepted(light: Client, host: str) -> None:
    assert light.get("/api/offer", Host=host).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"},
    ],
    ids=str,
)
def test_pages_of_other_sites_are_refused(light: Client, headers: dict[str, str]) -> None:
    assert light.ask("POST", "/api/samples/room", **headers).status == 403
    assert light.get("/api/offer", **headers).status == 403
    assert light.ask("OPTIONS", "/api/offer", **headers).status == 403
    assert "access-control-allow-origin" not in light.get("/api/offer", **headers).headers


def test_own_page_and_links_to_it_are_accepted(light: Client) -> None:
    own = f"http://127.0.0.1:{light.port}"
    job = light.ask("POST", "/api/samples/room", Origin=own, Sec_Fetch_Site="same-origin")
    assert job.status == 202
    assert light.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200


def test_every_response_has_the_headers_that_protect_the_page(light: Client) -> None:
    for response in (
        light.get("/"),
        light.get("/api/offer"),
        light.get("/nothing"),
        light.get("/", Host="evil.example"),
    ):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-frame-options"] == "DENY"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


def test_thousands_of_requests_are_answered_and_leave_nothing(light: Client) -> None:
    def some(number: int) -> set[int]:
        client = Client(light.port)
        return {client.get(f"/api/jobs/{number:032d}").status for _ in range(250)}

    light.get("/")
    before = light.metric("process_resident_memory_bytes")
    with ThreadPoolExecutor(8) as pool:
        statuses = set().union(*pool.map(some, range(12)))
    assert statuses == {404}
    assert light.metric("process_resident_memory_bytes") < before + (20 << 20)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (1 << 20),
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"POST /api/tasks/segmentation?name=a.xyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/tasks/segmentation?name=a.xyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ],
    ids=["endless header", "no host", "TLS", "length of letters", "negative length"],
)
def test_what_is_no_request_is_refused_and_closed(light: Client, request_bytes: bytes) -> None:
    with socket.create_connection(("127.0.0.1", light.port), timeout=60) as connection:
        try:
            connection.sendall(request_bytes)
            answer = connection.makefile("rb").read()
        except ConnectionError:  # closed before all was sent
            answer = b"HTTP/1.1 400"
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 421"))
    assert light.get("/api/health").status == 200


def test_a_token_is_wanted_where_one_is_set(tmp_path: Path) -> None:
    token = "a-long-enough-token"
    with running(LIGHT, tmp_path, "--token", token) as server:
        client = server.client
        assert client.get("/").status == 200
        assert client.get("/api/health").status == 200
        for path in ("/api/offer", "/metrics", f"/api/jobs/{'x' * 32}", f"/api/offer?token={token}"):
            response = client.get(path)
            assert response.status == 401
            assert response.headers["www-authenticate"] == "Bearer"
        for wrong in ("Bearer", "Bearer wrong", f"Basic {token}", token, f"Bearer {token}x", "Bearer \xe9"):
            assert client.get("/api/offer", Authorization=wrong).status == 401
        known = Client(client.port, headers={"Authorization": f"Bearer {token}"})
        assert known.finished(known.job(b"points"))["state"] == "done"
        assert known.get("/openapi.json").json["security"] == [{"token": []}]


def test_an_allowed_origin_may_use_the_api(tmp_path: Path) -> None:
    origin = "https://lab.example"
    with running(LIGHT, tmp_path, "--allow-origin", origin, "--allow-host", "clouds.example") as server:
        client = server.client
        asked = client.ask("OPTIONS", "/api/tasks/segmentation", Origin=origin, Access_Control_Request_Method="POST")
        assert asked.status == 204
        assert "POST" in asked.headers["access-control-allow-methods"]
        assert "Content-Type" in asked.headers["access-control-allow-headers"]
        allowed = client.get("/api/offer", Origin=origin, Sec_Fetch_Site="cross-site")
        assert (allowed.status, allowed.headers["access-control-allow-origin"]) == (200, origin)
        assert client.get("/api/offer", Origin="https://evil.example").status == 403
        assert client.get("/api/offer", Host="clouds.example").status == 200
