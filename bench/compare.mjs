// Compares two binaries: the tree query of courses of three sizes, and visits, on both databases. Both servers run at the same time
// and are measured in alternation, so that other work on the machine affects both.
//
//     make build && scripts/with-postgres.sh node bench/compare.mjs OLD_BINARY [NEW_BINARY]
//
// Prints the median ratio of new to old with its range. Exits with 1 if a median is below 0.95.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server } from "../scripts/server.mjs";
import { shapes } from "./book.mjs";
import { load, seconds } from "./load.mjs";
import { binary as built } from "./measured.mjs";
import { prepareCourse } from "./tree.mjs";
import { measureVisits } from "./visits.mjs";

const [, , old, current = built] = process.argv;
if (!old) throw new Error("usage: compare.mjs OLD_BINARY [NEW_BINARY]");
const turns = Number(process.env.BENCH_TURNS ?? 7);
const goal = 0.95;

/** A server of the binary with one course per size. */
async function prepare(database, binary, work) {
  const server = await Server.start({ database, binary });
  const courses = [];
  for (const pages of Object.keys(shapes).map(Number)) {
    courses.push(await prepareCourse(server, join(work, `course-${pages}`), pages));
  }
  return { server, courses };
}

/** Measures both by turns, each first every other time, and prints the median ratio. */
async function compare(name, measureOld, measureNew) {
  const ratios = [];
  for (let turn = 0; turn < turns; turn++) {
    const inTurn = turn % 2 === 0 ? [measureOld, measureNew] : [measureNew, measureOld];
    const [first, second] = [await inTurn[0](), await inTurn[1]()];
    ratios.push(turn % 2 === 0 ? second / first : first / second);
  }
  ratios.sort((a, b) => a - b);
  const [least, middle, most] = [ratios[0], ratios[turns >> 1], ratios.at(-1)];
  const shown = (ratio) => ratio.toFixed(3);
  process.stdout.write(`${name}: ${shown(middle)} (${shown(least)} to ${shown(most)})\n`);
  if (middle < goal) process.exitCode = 1;
}

for (const database of ["sqlite", "postgres"]) {
  const work = await mkdtemp(join(tmpdir(), "kurso-compare-"));
  const sides = [];
  try {
    for (const binary of [old, current]) sides.push(await prepare(database, binary, work));
    const [before, after] = sides;
    for (const [at, { pages }] of before.courses.entries()) {
      const measure = ({ server, courses }) => {
        const { body, token, length } = courses[at];
        const options = { method: "POST", body, token, expected: length, lasting: Math.ceil(seconds / 2) };
        return async () => (await load(`${server.url}/graphql`, options)).rps;
      };
      await compare(`${database}, tree of ${pages} pages`, measure(before), measure(after));
    }
    const visits = ({ server, courses }) => {
      const course = courses.find(({ pages }) => pages === 500);
      let turn = 0;
      return async () => (await measureVisits(server, work, course, `group-${turn++}`)).rps;
    };
    await compare(`${database}, visits`, visits(before), visits(after));
  } finally {
    for (const { server } of sides) await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}
