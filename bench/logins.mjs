// Benchmark of the effect of logins on other requests: the tree query under load, alone and during 32 concurrent logins. Few
// threads hash passwords, so the slowdown of the tree query must stay below `allowed`. `node bench/logins.mjs` runs only this
// benchmark, on target/release/kurso or KURSO_BIN; also on PostgreSQL when KURSO_TEST_POSTGRES_URL is set.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { login } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { load } from "./load.mjs";
import { prepareCourse } from "./tree.mjs";

export const logins = 32;
const pages = 100;
/** The maximum slowdown factor. */
const allowed = 3;

/** @param {"sqlite" | "postgres"} database @param {string} binary */
export async function measureLogins(database, binary) {
  const work = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    const { body, token, length } = await prepareCourse(server, work, pages);
    const tree = () => load(`${server.url}/graphql`, { method: "POST", body, token, expected: length });
    // Measured before and after, so that a change in the machine's speed does not distort the result.
    const before = await tree();
    const loginLoad = new LoginLoad(server.url);
    const during = await tree();
    const { signedIn, perSecond } = await loginLoad.stop();
    const after = await tree();
    const alone = { rps: (before.rps + after.rps) / 2, p50: (before.p50 + after.p50) / 2 };
    if (signedIn === 0) throw new Error("no login completed during the measurement");
    const slowdown = Math.max(alone.rps / during.rps, during.p50 / alone.p50);
    if (slowdown > allowed)
      throw new Error(`${database}: ${logins} concurrent logins slow the tree query down ${slowdown}-fold`);
    return { database, alone, during, perSecond, slowdown };
  } finally {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/** Clients that log in continuously until `stop`. */
class LoginLoad {
  #isStopped = false;
  #signedIn = 0;
  #started = performance.now();

  /** @param {string} url */
  constructor(url) {
    const each = async () => {
      while (!this.#isStopped) {
        await login(url, admin.email, admin.password);
        this.#signedIn++;
      }
    };
    this.all = Promise.all(Array.from({ length: logins }, each));
    this.all.catch(() => {}); // `stop` reports the error
  }

  async stop() {
    this.#isStopped = true;
    const seconds = (performance.now() - this.#started) / 1000;
    const signedIn = this.#signedIn;
    await this.all;
    return { signedIn, perSecond: signedIn / seconds };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const binary = process.env.KURSO_BIN ?? join(root, "target/release/kurso");
  for (const database of process.env.KURSO_TEST_POSTGRES_URL ? ["sqlite", "postgres"] : ["sqlite"]) {
    const { alone, during, perSecond, slowdown } = await measureLogins(database, binary);
    process.stdout.write(
      `${database}: ${Math.round(alone.rps)} trees/s, p50 ${alone.p50.toFixed(1)} ms alone; ` +
        `${Math.round(during.rps)} trees/s, p50 ${during.p50.toFixed(1)} ms during ${perSecond.toFixed(1)} logins/s: ` +
        `${slowdown.toFixed(2)}-fold slowdown\n`,
    );
  }
}
