#!/usr/bin/env python3
"""serve.py [--port N] [--host H] FOLDER: serves static files, with the types that modules and WebAssembly need.

Port 0 takes a free one; the address is printed when the server listens. Nothing is cached, so that a rebuilt page is seen.
"""
import argparse
import functools
import http.server
import pathlib
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".otf": "font/otf",
    }

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format, *args):
        """Requests are not printed; errors are."""

    def log_error(self, format, *args):
        print(f"{self.path}: {format % args}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"{options.folder} is not there; run scripts/build.sh site")
    handler = functools.partial(Handler, directory=str(options.folder))
    try:
        server = http.server.ThreadingHTTPServer((options.host, options.port), handler)
    except OSError as error:
        sys.exit(f"cannot listen on {options.host}:{options.port}: {error.strerror}; try --port 0")
    host, port = server.server_address[:2]
    print(f"memwall is at http://{host}:{port}/ (Ctrl+C stops it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
