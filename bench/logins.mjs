// What logins cost everybody else: the tree query under load alone, and beside 32 people who sign in at once, again and
// again. Passwords are hashed by few threads, so the tree may not become slower by more than `allowed` times.
// `node bench/logins.mjs` measures this alone, on target/release/kurso or on KURSO_BIN; on PostgreSQL as well when
// KURSO_TEST_POSTGRES_URL is set.
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
/** Times. */
const allowed = 3;

/** @param {"sqlite" | "postgres"} database @param {string} binary */
export async function measureLogins(database, binary) {
  const work = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    const { body, token, length } = await prepareCourse(server, work, pages);
    const tree = () => load(`${server.url}/graphql`, { method: "POST", body, token, expected: length });
    // Before and after, so that a machine that becomes slower or faster on the way does not decide.
    const before = await tree();
    const crowd = new Crowd(server.url);
    const beside = await tree();
    const { signedIn, perSecond } = await crowd.leave();
    const after = await tree();
    const alone = { rps: (before.rps + after.rps) / 2, p50: (before.p50 + after.p50) / 2 };
    if (signedIn === 0) throw new Error("nobody signed in beside the tree");
    const slower = Math.max(alone.rps / beside.rps, beside.p50 / alone.p50);
    if (slower > allowed)
      throw new Error(`${database}: ${logins} logins make the tree ${slower} times slower`);
    return { database, alone, beside, perSecond, slower };
  } finally {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/** People who sign in, each again as soon as they are in. */
class Crowd {
  #leaves = false;
  #signedIn = 0;
  #started = performance.now();

  /** @param {string} url */
  constructor(url) {
    const each = async () => {
      while (!this.#leaves) {
        await login(url, admin.email, admin.password);
        this.#signedIn++;
      }
    };
    this.all = Promise.all(Array.from({ length: logins }, each));
    this.all.catch(() => {}); // said by leave
  }

  async leave() {
    this.#leaves = true;
    const seconds = (performance.now() - this.#started) / 1000;
    const signedIn = this.#signedIn;
    await this.all;
    return { signedIn, perSecond: signedIn / seconds };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const binary = process.env.KURSO_BIN ?? join(root, "target/release/kurso");
  for (const database of process.env.KURSO_TEST_POSTGRES_URL ? ["sqlite", "postgres"] : ["sqlite"]) {
    const { alone, beside, perSecond, slower } = await measureLogins(database, binary);
    process.stdout.write(
      `${database}: ${Math.round(alone.rps)} trees/s, p50 ${alone.p50.toFixed(1)} ms alone; ` +
        `${Math.round(beside.rps)} trees/s, p50 ${beside.p50.toFixed(1)} ms beside ${perSecond.toFixed(1)} logins/s: ` +
        `${slower.toFixed(2)} times slower\n`,
    );
  }
}
