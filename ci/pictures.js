// Draws what ci/pictures made: `flamegraph.svg` in the browser, and the timeline in Perfetto's UI.
//
// usage: node pictures.js CHROMIUM UI MADE IMAGES     UI and MADE are directories of files, IMAGES is one for pictures
"use strict";

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const [chromium, ui, made, images] = process.argv.slice(2);

const WIDTH = 1200;
// High enough for all arguments of a slice.
const HEIGHT = 1400;
// The slice whose arguments are shown.
const SELECTED = "block_sum(float*, float)";

// In the UI: what it says of a selection, and the button that gives that the whole height.
const DETAILS = ".pf-details-shell";
const HIGHER = "::-p-text(vertical_align_top)";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

// The UI, and below `/made/` what was made.
function serve(request, response) {
  const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const file = name.startsWith("/made/") ? path.join(made, path.basename(name)) : path.join(ui, name);
  const found = name === "/" ? path.join(ui, "index.html") : file;
  if (!fs.existsSync(found)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[path.extname(found)] ?? "application/octet-stream" });
  fs.createReadStream(found).pipe(response);
}

async function flamegraph(page, origin) {
  await page.goto(`${origin}/made/flamegraph.svg`);
  await (await page.$("svg")).screenshot({ path: path.join(images, "flamegraph.png") });
}

// Opens a timeline and says how many slices are in it. An import that counts errors is one.
async function open(page, origin, file) {
  await page.goto(`${origin}/#!/viewer?hideSidebar=true&url=${origin}/made/${file}`);
  await page.waitForFunction(() => globalThis.app?.trace && document.querySelector(".pf-track"), { timeout: 120000 });
  const [errors, slices] = await page.evaluate(async () => {
    const { engine } = globalThis.app.trace;
    const errors = await engine.query("SELECT name FROM stats WHERE severity != 'info' AND value > 0");
    const slices = await engine.query("SELECT id FROM slice");
    return [errors.numRows(), slices.numRows()];
  });
  if (errors > 0) {
    throw new Error(`${file}: the import counts ${errors} kinds of errors`);
  }
  return slices;
}

// Selects the first slice of this name.
async function select(page, name) {
  await page.evaluate(async (name) => {
    const { engine, selection } = globalThis.app.trace;
    const found = await engine.query(`SELECT id FROM slice WHERE name = '${name}' ORDER BY ts LIMIT 1`);
    selection.selectSqlEvent("slice", found.firstRow({ id: 0 }).id);
  }, name);
  await page.waitForSelector(DETAILS);
  await (await page.waitForSelector(HIGHER)).click();
}

// The picture of what is between `top` and `bottom` in the page, of this width.
async function clip(page, name, top, bottom, width) {
  // What moves, such as the axis, comes to rest.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await page.mouse.move(WIDTH - 1, HEIGHT - 1);
  const area = { x: 0, y: await page.evaluate(top), width };
  area.height = (await page.evaluate(bottom)) - area.y;
  await page.screenshot({ path: path.join(images, name), clip: area });
}

async function timeline(browser, origin) {
  const file = (extension) => fs.readdirSync(made).find((name) => name.endsWith(extension));
  // The other format is opened, too, and has to hold as much.
  const other = await open(await browser.newPage(), origin, file(".json"));
  const page = await browser.newPage();
  const slices = await open(page, origin, file(".pftrace"));
  if (slices === 0 || slices !== other) {
    throw new Error(`${slices} slices in one format and ${other} in the other`);
  }
  console.log(`${slices} slices in either format, no errors of the import`);
  const edge = (selector, side) =>
    `Math.max(...[...document.querySelectorAll("${selector}")].map((found) => found.getBoundingClientRect().${side}))`;
  await clip(page, "perfetto.png", edge(".pf-overview-timeline", "top"), edge(".pf-track", "bottom"), WIDTH);
  await select(page, SELECTED);
  const bottom = edge(`${DETAILS} .pf-section`, "bottom");
  await clip(page, "perfetto-arguments.png", edge(DETAILS, "top"), bottom, WIDTH / 2);
}

async function main() {
  const server = http.createServer(serve).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  // Nothing but this server can be reached; Chromium has no sandbox for root.
  const args = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  if (process.getuid() === 0) {
    args.push("--no-sandbox");
  }
  const defaultViewport = { width: WIDTH, height: HEIGHT };
  const browser = await puppeteer.launch({ executablePath: chromium, args, defaultViewport });
  try {
    await flamegraph(await browser.newPage(), origin);
    await timeline(browser, origin);
  } finally {
    await browser.close();
    server.close();
  }
}

main().catch((error) => {
  console.error(`ci/pictures: ${error.message}`);
  process.exit(1);
});
