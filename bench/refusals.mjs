// What the refusal of an attack costs beside the answer to a trivial query, in one run: the time of one after the other, and
// the memory of many at once. Rewrites its part of docs/performance.md. See bench/run.sh for how to start it.
import { login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, forgetMost, memory, publish } from "./measured.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 200);
const atOnce = 16;
/** Megabytes above the memory at rest that the attacks may take: 16 bodies of 4 MB, read and copied once, and as much. */
const allowed = 192;

const trivial = { query: "{ __typename }" };

/** @param {number} times @param {(i: number) => string} part */
const repeated = (times, part) => Array.from({ length: times }, (_, i) => part(i)).join(" ");
const doubled = (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`;
const chained = (i) => `fragment F${i} on Query { ...F${(i + 1) % 500} __typename }`;

/** What is asked, by what it is; and the limit that it meets, or no limit where the document is none. */
const attacks = {
  "500 aliases of a field": ["ALIASES", `{ ${repeated(500, (i) => `a${i}: me { id }`)} }`],
  "100,000 aliases of a field": ["TOKENS", `{ ${repeated(100_000, (i) => `a${i}: me { id }`)} }`],
  "a cycle of 500 fragments": ["DEPTH", `{ ...F0 } ${repeated(500, chained)}`],
  "a fragment that spreads itself": [undefined, "{ ...F } fragment F on Query { __typename ...F }"],
  "20 fragments, each the next one twice": [
    "FIELDS",
    `{ ...F0 } ${repeated(20, doubled)} fragment F20 on Query { __typename }`,
  ],
  "1,000 directives on a field": ["DIRECTIVES", `{ __typename ${"@skip(if: false) ".repeat(1_000)} }`],
  "30 objects in one another": ["DEPTH", `{ ${"me { ".repeat(30)} id ${"} ".repeat(30)} }`],
  "4,000 braces in one another": ["NESTING", `${"{".repeat(4_000)}me${"}".repeat(4_000)}`],
  "2,000 times the same field": ["FIELDS", `{ me { ${"id ".repeat(2_000)} } }`],
  "introspection, six lists in one another": [
    "INTROSPECTION",
    `{ __schema { types { ${"fields { type { ".repeat(6)} name ${"} } ".repeat(6)} } } }`,
  ],
  "900 fields that there are not": [undefined, `{ ${repeated(900, (i) => `${"x".repeat(80)}${i}`)} }`],
  "a name of a megabyte": ["NAME", `{ ${"x".repeat(1_000_000)} }`],
  "1,900,000 numbers as a variable": ["VALUES", "{ __typename }", `[${"0,".repeat(1_900_000)}0]`],
  "a body of 5 MB": ["BODY", "{ __typename }", `"${"x".repeat(5_000_000)}"`],
};

function bodyOf([, query, variable]) {
  const variables = variable === undefined ? "" : `, "variables": {"a": ${variable}}`;
  return `{"query": ${JSON.stringify(query)}${variables}}`;
}

async function send(server, token, body) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
  });
  return answer.text();
}

/** The median, in milliseconds. */
async function time(call, times) {
  const taken = [];
  for (let round = 0; round < times; round++) {
    const started = performance.now();
    await call();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)];
}

async function measure() {
  const server = await Server.start({ binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const base = JSON.stringify(trivial);
    await time(() => send(server, token, base), rounds);
    const trivialTime = await time(() => send(server, token, base), rounds);
    const rows = [];
    for (const [what, attack] of Object.entries(attacks)) {
      const body = bodyOf(attack);
      const [error] = JSON.parse(await send(server, token, body)).errors;
      if (error.extensions.limit !== attack[0]) throw new Error(`${what}: ${JSON.stringify(error)}`);
      // Long ones take their time on the way here and there as well.
      const taken = await time(() => send(server, token, body), body.length > 100_000 ? 20 : rounds);
      const rest = await memory(server.pid);
      await forgetMost(server.pid);
      await Promise.all(Array.from({ length: atOnce }, () => send(server, token, body)));
      const above = (await memory(server.pid, "VmHWM")) - rest;
      if (above > allowed) throw new Error(`${what}: ${above} MB above ${rest} MB`);
      rows.push({ what, limit: attack[0], length: body.length, taken, ratio: taken / trivialTime, above });
    }
    return { trivialTime, rows };
  } finally {
    await server.stop();
  }
}

const { trivialTime, rows } = await measure();
const lines = rows.map(({ what, limit, length, taken, ratio, above }) =>
  [
    what,
    limit ?? "—",
    (length / 1000).toFixed(1),
    taken.toFixed(2),
    `**${ratio.toFixed(1)}**`,
    above.toFixed(1),
  ].join(" | "),
);
const report = [
  `The median of ${rounds} requests one after the other (20 of those above 100 kB), from sending to the answer read; the trivial query, \`{ __typename }\`, took ${trivialTime.toFixed(2)} ms. Memory: ${atOnce} at once.`,
  `| attack | limit | request, kB | ms | times the trivial query | memory above that before, MB |\n| --- | --- | --: | --: | --: | --: |\n${lines.map((line) => `| ${line} |`).join("\n")}`,
].join("\n\n");

await publish("refusals", report);
