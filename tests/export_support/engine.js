// Runs the trace processor of Perfetto's UI. The UI has it in a worker, so it is run in a context that has what a worker
// has. Requests come in on standard input and answers go to standard output, in the framing of the engine itself
// (`TraceProcessorRpcStream` of `trace_processor.proto`).
//
// usage: node engine.js BUNDLE     the UI's `engine_bundle.js`, with the WebAssembly beside it
"use strict";

const { webcrypto } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const bundle = process.argv[2];

// The engine asks for its WebAssembly by the name of the file, and has it when `send` returns.
class XMLHttpRequest {
  open(_method, name) {
    this.file = path.join(path.dirname(bundle), path.basename(name));
  }

  send() {
    this.response = new Uint8Array(fs.readFileSync(this.file)).buffer;
  }
}

// What the engine notes is no answer.
const note = (...words) => console.error(...words);

const worker = {
  console: { log: note, info: note, warn: note, error: note, debug: note },
  crypto: webcrypto,
  location: { href: "file:///engine_bundle.js" },
  performance,
  setTimeout,
  TextDecoder,
  URL,
  WorkerGlobalScope: Object,
  XMLHttpRequest,
};
worker.self = worker;
vm.runInNewContext(fs.readFileSync(bundle, "utf8"), worker, { filename: bundle });

const port = { postMessage: (answer) => process.stdout.write(answer) };
worker.onmessage({ data: port });
// The engine wants bytes of its own context, and is ready once what it waits for now is done.
const Bytes = vm.runInContext("Uint8Array", worker);
setTimeout(() => process.stdin.on("data", (bytes) => port.onmessage({ data: new Bytes(bytes) })), 0);
