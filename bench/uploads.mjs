// Benchmark of upload memory: the server's peak memory during 64 concurrent uploads of 50 MB, each streamed. `node
// bench/uploads.mjs` runs only this benchmark, on target/release/kurso or KURSO_BIN.
import { request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { login } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { forgetMost, memory } from "./measured.mjs";

const uploads = Number(process.env.BENCH_UPLOADS ?? 64);
const size = 50_000_000;
/** The limit of the memory increase over the idle server, in megabytes. */
const allowed = 150;

/** @param {string} database @param {string} binary */
export async function measureUploads(database, binary) {
  const server = await Server.start({ database, binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    await upload(server.url, token, 1_000_000);
    await new Promise((done) => setTimeout(done, 3_000));
    const rest = await memory(server.pid);
    await forgetMost(server.pid);
    const started = performance.now();
    await Promise.all(Array.from({ length: uploads }, () => upload(server.url, token, size)));
    const seconds = (performance.now() - started) / 1000;
    const above = (await memory(server.pid, "VmHWM")) - rest;
    if (above > allowed)
      throw new Error(`${uploads} uploads took ${above} MB more than the ${rest} MB of the idle server`);
    return { database, rest, above, rate: (uploads * size) / 1e6 / seconds };
  } finally {
    await server.stop();
  }
}

/** Uploads a file of `bytes` bytes as a multipart form, streamed as fast as the server reads it. */
function upload(base, token, bytes) {
  const piece = Buffer.alloc(64 << 10, 7);
  const head = Buffer.from(
    '--frontier\r\nContent-Disposition: form-data; name="file"; filename="film.bin"\r\n\r\n',
  );
  const tail = Buffer.from("\r\n--frontier--\r\n");
  return new Promise((done, fail) => {
    const call = request(`${base}/api/v1/courses/upload_file`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "multipart/form-data; boundary=frontier",
        "content-length": head.length + bytes + tail.length,
      },
    });
    call.on("error", fail);
    call.on("response", async (answer) => {
      const parts = [];
      for await (const part of answer) parts.push(part);
      const text = Buffer.concat(parts).toString();
      if (answer.statusCode !== 200 || JSON.parse(text).size !== bytes)
        fail(new Error(`${answer.statusCode} ${text}`));
      else done(undefined);
    });
    call.write(head);
    let left = bytes;
    const more = () => {
      while (left > 0) {
        const part = left < piece.length ? piece.subarray(0, left) : piece;
        left -= part.length;
        if (!call.write(part)) {
          call.once("drain", more);
          return;
        }
      }
      call.end(tail);
    };
    more();
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const binary = process.env.KURSO_BIN ?? join(root, "target/release/kurso");
  const { rest, above, rate } = await measureUploads("sqlite", binary);
  process.stdout.write(
    `${uploads} uploads of ${size / 1e6} MB: ${above.toFixed(1)} MB more than the ${rest.toFixed(1)} MB of the idle server, ${rate.toFixed(0)} MB/s\n`,
  );
}
