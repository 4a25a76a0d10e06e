"""The page where anyone tries the models, and the HTTP API behind it: `cloudt serve`.

    request -> guard (host, origin, token, headers) -> api -> store (SQLite, a folder per job)
                                                       foreman -> worker processes -> answering

The server's own process reads no cloud and loads no model: that happens in worker processes, which may crash, run out
of memory or be killed at the cost of their one job. `server.serve` starts everything.
"""
