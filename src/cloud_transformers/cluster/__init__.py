"""The same work on many machines, by Ray: who is connected to what, and how work is spread over workers.

Nothing here imports Ray before it is asked to connect: without the extra `cluster` all else works.
"""
