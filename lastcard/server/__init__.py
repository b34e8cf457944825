"""The server: tables over HTTP and WebSocket (docs/protocol.md)."""
