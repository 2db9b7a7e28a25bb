// An attack from one address: request bodies that never end. Others must be served as usual meanwhile. The attacker is a process of its own, so that its work
// does not delay the requests that are measured.
import { fork } from "node:child_process";
import { join } from "node:path";
import { root, Server } from "../../scripts/server.mjs";
import { FLOOR_MS, percentile, signIn } from "./measure.mjs";

/** How often the measurement during the attack may be repeated: other work of the machine disturbs one of them, an attack that succeeds disturbs all. */
const ROUNDS = 3;

/**
 * Returns a summary; throws when others get a wrong status, or wait more than twice as long as usual.
 * @param {{ database: "sqlite" | "postgres", bodies: number }} options
 */
export async function slowBodies({ database, bodies }) {
  const server = await Server.start({ database, settings: { KURSO_LOG: "error" } });
  let attacker;
  try {
    const token = await signIn(server);
    await percentile(server, token); // warms up
    const usual = await percentile(server, token);
    attacker = fork(join(root, "tests/torture/slow-bodies-attacker.mjs"), [server.url, String(bodies)]);
    const height = await message(attacker);
    const limit = 2 * Math.max(usual, FLOOR_MS);
    let attacked = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS && attacked > limit; round += 1)
      attacked = Math.min(attacked, await percentile(server, token));
    attacker.send("stop");
    const { opened, evicted } = await message(attacker);
    const summary = `99 % within ${usual.toFixed(1)} ms, during the attack within ${attacked.toFixed(1)} ms`;
    if (height.opened < bodies) throw new Error(`only ${height.opened} bodies were begun`);
    if (attacked > limit) throw new Error(summary);
    return `${opened} bodies begun, ${evicted} evicted; ${summary}`;
  } finally {
    attacker?.kill();
    await server.stop();
  }
}

/** The next message of the attacker; throws when it ends without one. */
function message(attacker) {
  return new Promise((done, fail) => {
    attacker.once("message", done);
    attacker.once("exit", () => fail(new Error("the attacker ended")));
  });
}
