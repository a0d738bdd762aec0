"""Prints a timeline in Perfetto's own format as JSON, decoded with Perfetto's own message definitions.

A list of {"ph", "pid", "tid", "thread", "ts" (ns), "cat", "name", "args"}, one an event. Fails on anything that these
definitions do not have, on numbers that were not interned, and on packets that are not of one sequence.
"""

import json
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

PHASES = {TrackEvent.TYPE_SLICE_BEGIN: "B", TrackEvent.TYPE_SLICE_END: "E", TrackEvent.TYPE_INSTANT: "i"}
TABLES = ("event_categories", "event_names", "debug_annotation_names", "debug_annotation_string_values")


def all_known(message):
    assert not len(UnknownFieldSet(message)), f"unknown field in {message}"
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for one in value if field.is_repeated else [value]:
                all_known(one)


def value(annotation, interned):
    kind = annotation.WhichOneof("value")
    if kind == "pointer_value":
        return f"{annotation.pointer_value:#x}"
    if kind == "string_value_iid":
        return interned["debug_annotation_string_values"][annotation.string_value_iid]
    if kind is not None:
        return getattr(annotation, kind)
    if annotation.array_values:
        return [value(one, interned) for one in annotation.array_values]
    return arguments(annotation.dict_entries, interned)


def arguments(annotations, interned):
    found = {}
    for annotation in annotations:
        name = interned["debug_annotation_names"][annotation.name_iid]
        assert name not in found, f"{name} twice"
        found[name] = value(annotation, interned)
    return found


def main():
    trace = Trace()
    with open(sys.argv[1], "rb") as file:
        trace.ParseFromString(file.read())
    all_known(trace)
    interned = {table: {} for table in TABLES}
    processes, threads, events = {}, {}, []
    for at, packet in enumerate(trace.packet):
        assert packet.trusted_packet_sequence_id == 1
        assert packet.sequence_flags == (1 if at == 0 else 2)
        for table in TABLES:
            for entry in getattr(packet.interned_data, table):
                text = entry.str.decode() if table.endswith("values") else entry.name
                assert entry.iid not in interned[table]
                interned[table][entry.iid] = text
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.HasField("process"):
                processes[track.uuid] = track.process
            else:
                assert track.thread.pid == processes[track.parent_uuid].pid
                assert track.uuid not in threads
                threads[track.uuid] = track.thread
        if packet.HasField("track_event"):
            event = packet.track_event
            thread = threads[event.track_uuid]
            events.append({
                "ph": PHASES[event.type],
                "pid": thread.pid,
                "tid": thread.tid,
                "thread": thread.thread_name,
                "ts": packet.timestamp,
                "cat": [interned["event_categories"][iid] for iid in event.category_iids],
                "name": interned["event_names"][event.name_iid] if event.name_iid else None,
                "args": arguments(event.debug_annotations, interned),
            })
    process = next(iter(processes.values()))
    print(json.dumps({"process": process.process_name, "labels": list(process.process_labels), "events": events}))


if __name__ == "__main__":
    main()
