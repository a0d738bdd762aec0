"""Prints what the trace processor of Perfetto's UI makes of timelines, as a JSON list with an item for each.

An item is {"errors", "threads", "slices"}: what the import counts as wrong, [name, count] each; the threads on which
something is, {"pid", "process", "tid", "thread"}, in the order of their numbers; every slice and instant of these threads,
{"tid", "ts" and "dur" (ns), "depth", "category", "name", "arguments"}. Arguments are {key: text} with flat keys, such as
`addresses.0`.

usage: imported.py UI TIMELINE...     UI is the directory of the UI's files
"""

import json
import subprocess
import sys
from pathlib import Path

from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

# Events that are left out count as information, too; what is no more than that is named here.
ERRORS = """
    SELECT name, value FROM stats
    WHERE value != 0 AND name NOT LIKE '%_duration_ns' AND name != 'json_display_time_unit'"""

THREADS = """
    SELECT pid, process.name AS process, tid, thread.name AS thread
    FROM thread JOIN process USING (upid) WHERE utid IN (SELECT utid FROM thread_track) ORDER BY tid"""

SLICES = """
    SELECT tid, ts, dur, depth, category, slice.name AS name, slice.arg_set_id AS arguments
    FROM slice JOIN thread_track ON track_id = thread_track.id JOIN thread USING (utid)"""

ARGUMENTS = "SELECT arg_set_id, key, display_value FROM args"

# What the two formats put before the name of an argument.
PREFIXES = ("args.", "debug.")


class Engine:
    """The engine as the package's client wants a connection."""

    def __init__(self, ui):
        (bundle,) = Path(ui).glob("v*/engine_bundle.js")
        command = ["node", Path(__file__).with_name("engine.js"), bundle]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, count):
        data = self.process.stdout.read(count)
        assert len(data) == count, "the engine has ended"
        return data

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


class Client(TraceProcessorRpc):
    """The package's client, which can only ask, with the loading of traces."""

    def call(self, method, **fields):
        stream = self.protos.TraceProcessorRpcStream()
        stream.msg.add(request=self.protos.TraceProcessorRpc.TraceProcessorMethod.Value(method), **fields)
        self.transport.send(stream.SerializeToString())
        answer = self.protos.TraceProcessorRpc()
        answer.ParseFromString(self._read_payload())
        self._check_envelope(answer)
        return answer

    def load(self, path):
        self.call("TPM_RESET_TRACE_PROCESSOR")
        appended = self.call("TPM_APPEND_TRACE_DATA", append_trace_data=path.read_bytes()).append_result
        assert not appended.error, appended.error
        ended = self.call("TPM_FINALIZE_TRACE_DATA").finalize_data_result
        assert not ended.error, ended.error

    def rows(self, query):
        """The rows of an answer, as dictionaries."""
        answer = self.execute_query(query)
        assert not answer.error, answer.error
        cell_type = self.protos.CellsBatch.CellType
        values = []
        for batch in answer.batch:
            # Each cell of text ends in a NUL.
            lists = {
                cell_type.Value("CELL_VARINT"): iter(batch.varint_cells),
                cell_type.Value("CELL_FLOAT64"): iter(batch.float64_cells),
                cell_type.Value("CELL_STRING"): iter(batch.string_cells.split("\0")),
            }
            null = cell_type.Value("CELL_NULL")
            values += [None if cell == null else next(lists[cell]) for cell in batch.cells]
        width = len(answer.column_names)
        return [dict(zip(answer.column_names, values[at:at + width])) for at in range(0, len(values), width)]

    def imported(self, path):
        self.load(path)
        arguments = {}
        for row in self.rows(ARGUMENTS):
            key = row["key"]
            name = next((key.removeprefix(prefix) for prefix in PREFIXES if key.startswith(prefix)), key)
            arguments.setdefault(row["arg_set_id"], {})[name] = row["display_value"]
        slices = [{**row, "arguments": arguments.get(row["arguments"], {})} for row in self.rows(SLICES)]
        errors = [[row["name"], row["value"]] for row in self.rows(ERRORS)]
        return {"errors": errors, "threads": self.rows(THREADS), "slices": slices}


def main():
    ui, *timelines = sys.argv[1:]
    client = Client(Engine(ui), ProtoFactory(PlatformDelegate()))
    print(json.dumps([client.imported(Path(timeline)) for timeline in timelines]))
    client.close()


if __name__ == "__main__":
    main()
