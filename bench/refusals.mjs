// Benchmark of rejected attacks on /graphql: the time relative to a trivial query, and the memory of concurrent attacks. Rewrites its
// part of docs/performance.md. `make bench` runs it.
import { login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, forgetMost, memory, publish } from "./measured.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 200);
const atOnce = 16;
/** The limit of the memory increase in megabytes: 16 bodies of 4 MB, read and copied once, and as much for parsing. */
const allowed = 192;

const trivial = { query: "{ __typename }" };

/** @param {number} times @param {(i: number) => string} part */
const repeated = (times, part) => Array.from({ length: times }, (_, i) => part(i)).join(" ");
const doubled = (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`;
const chained = (i) => `fragment F${i} on Query { ...F${(i + 1) % 500} __typename }`;

/** The attacks by name: the limit that rejects it (undefined when the document is invalid), the query and a variable. */
const attacks = {
  "500 aliases of a field": ["ALIASES", `{ ${repeated(500, (i) => `a${i}: me { id }`)} }`],
  "100,000 aliases of a field": ["TOKENS", `{ ${repeated(100_000, (i) => `a${i}: me { id }`)} }`],
  "a cycle of 500 fragments": ["DEPTH", `{ ...F0 } ${repeated(500, chained)}`],
  "a fragment that spreads itself": [undefined, "{ ...F } fragment F on Query { __typename ...F }"],
  "20 fragments, each spreading the next one twice": [
    "FIELDS",
    `{ ...F0 } ${repeated(20, doubled)} fragment F20 on Query { __typename }`,
  ],
  "1,000 directives on a field": ["DIRECTIVES", `{ __typename ${"@skip(if: false) ".repeat(1_000)} }`],
  "30 nested objects": ["DEPTH", `{ ${"me { ".repeat(30)} id ${"} ".repeat(30)} }`],
  "4,000 nested braces": ["NESTING", `${"{".repeat(4_000)}me${"}".repeat(4_000)}`],
  "the same field 2,000 times": ["FIELDS", `{ me { ${"id ".repeat(2_000)} } }`],
  "introspection of six nested lists": [
    "INTROSPECTION",
    `{ __schema { types { ${"fields { type { ".repeat(6)} name ${"} } ".repeat(6)} } } }`,
  ],
  "900 unknown fields": [undefined, `{ ${repeated(900, (i) => `${"x".repeat(80)}${i}`)} }`],
  "a name of 1 MB": ["NAME", `{ ${"x".repeat(1_000_000)} }`],
  "a variable with 1,900,000 numbers": ["VALUES", "{ __typename }", `[${"0,".repeat(1_900_000)}0]`],
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

/** The median time of `times` sequential calls in milliseconds. */
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
      // Fewer repetitions of long requests, because their transfer takes time, too.
      const taken = await time(() => send(server, token, body), body.length > 100_000 ? 20 : rounds);
      const rest = await memory(server.pid);
      await forgetMost(server.pid);
      await Promise.all(Array.from({ length: atOnce }, () => send(server, token, body)));
      const above = (await memory(server.pid, "VmHWM")) - rest;
      if (above > allowed) throw new Error(`${what}: the memory increased by ${above} MB from ${rest} MB`);
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
  `Medians of ${rounds} sequential requests (20 of those above 100 kB), from sending the request to reading the response; the trivial query, \`{ __typename }\`, took ${trivialTime.toFixed(2)} ms. Memory: ${atOnce} concurrent requests.`,
  `| attack | limit | request, kB | ms | ratio to the trivial query | memory increase, MB |\n| --- | --- | --: | --: | --: | --: |\n${lines.map((line) => `| ${line} |`).join("\n")}`,
].join("\n\n");

await publish("refusals", report);
