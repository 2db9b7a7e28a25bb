// Failure of the file store: it accepts connections and never responds.
import { createServer } from "node:http";
import { admin, Server } from "../../scripts/server.mjs";
import { School } from "../torture/school.mjs";
import {
  call,
  isNotReady,
  isReady,
  mustBeFine,
  mustBeRefused,
  mustBeWhole,
  mustHaveNoFaults,
  sleep,
  until,
} from "./watch.mjs";

export const storeTrials = [["the store of files hangs", hangs]];

const WORDS = "Сервер не может связаться с хранилищем файлов";
const BUSY = "Сервер занят";
/** The timeout setting, and the tolerance of the tests. */
const TIMEOUT_MS = 2_000;
const MORE_MS = 2_500;
/** Concurrent file requests, more than the request limit. */
const CROWD = 600;
const BETWEEN_MS = 5;

/** An in-memory S3 with the operations that the product uses for small files; it ignores signatures. */
class Bucket {
  /** @type {Map<string, Buffer>} */
  #objects = new Map();
  hangs = false;

  static async start() {
    const bucket = new Bucket();
    bucket.server = createServer((request, response) => bucket.#answer(request, response));
    await new Promise((done) => bucket.server.listen(0, "127.0.0.1", () => done(undefined)));
    bucket.url = `http://127.0.0.1:${bucket.server.address().port}`;
    return bucket;
  }

  async #answer(request, response) {
    if (this.hangs) return;
    const parts = [];
    for await (const part of request) parts.push(part);
    const { pathname } = new URL(request.url, "http://x");
    const etag = { etag: '"x"', "last-modified": new Date(0).toUTCString() };
    if (request.method === "PUT") {
      this.#objects.set(pathname, Buffer.concat(parts));
      return response.writeHead(200, etag).end();
    }
    const object = this.#objects.get(pathname);
    if (request.method === "DELETE") {
      this.#objects.delete(pathname);
      return response.writeHead(204).end();
    }
    if (!object) return response.writeHead(404).end();
    response.writeHead(200, { ...etag, "content-length": object.length });
    response.end(request.method === "HEAD" ? undefined : object);
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function upload(server, token) {
  const body = new FormData();
  body.set("file", new Blob([Buffer.alloc(20_000, 5)]), "a.bin");
  return call(server, "POST", "/api/v1/courses/upload_file", { token, body });
}

async function hangs() {
  const bucket = await Bucket.start();
  const server = await Server.start({
    settings: {
      KURSO_LOG: "error",
      KURSO_FILES_URL: "s3://school/files",
      KURSO_FILES_TIMEOUT: `${TIMEOUT_MS}ms`,
      AWS_ENDPOINT_URL: bucket.url,
      AWS_ALLOW_HTTP: "true",
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    },
  });
  try {
    const school = await School.open(server, admin, Math.random);
    const { url } = mustBeFine("an upload", await upload(server, school.token));
    mustBeFine("its file", await call(server, "HEAD", url));
    bucket.hangs = true;

    // Twice the limit of concurrent uploads, so some wait until the timeout.
    const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(server, school.token)));
    for (const answer of uploads)
      mustBeRefused("an upload", answer, answer.text.includes(BUSY) ? BUSY : WORDS, 2 * TIMEOUT_MS + MORE_MS);

    // Many file requests wait, and other requests are unaffected.
    const crowd = Promise.all(
      Array.from({ length: CROWD }, async (_, n) => {
        await sleep(n * BETWEEN_MS);
        return call(server, "GET", url);
      }),
    );
    const times = [];
    let isOver = false;
    crowd.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const page = await call(server, "GET", `/api/v1/courses/get_page/${school.pages[0]}`, {
        token: school.token,
      });
      mustBeFine("a page meanwhile", page);
      times.push(page.ms);
    }
    for (const answer of await crowd)
      mustBeRefused("a file", answer, answer.text.includes(BUSY) ? BUSY : WORDS, TIMEOUT_MS + MORE_MS);
    const worst = Math.max(...times);
    if (worst > 2_000) throw new Error(`a page took ${Math.round(worst)} ms while the store hung`);

    await until("not ready", 5_000, () => isNotReady(server));
    bucket.hangs = false;
    const back = await until("ready", 5_000, () => isReady(server));
    mustBeFine("an upload", await upload(server, school.token));
    const file = await call(server, "GET", url);
    if (file.status !== 200 || file.text.length !== 20_000) throw new Error("an acknowledged file is lost");
    await mustBeWhole(server);
    mustHaveNoFaults(server, school);
    return `${CROWD} readers and 8 uploads refused in time, ${times.length} pages meanwhile at ${Math.round(worst)} ms or less, ready again after ${back} ms`;
  } finally {
    await server.stop();
    bucket.stop();
  }
}
