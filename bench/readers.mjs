// A class whose students read pages while something else is measured, and its readers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { done, seed } from "./class.mjs";
import { binary } from "./measured.mjs";
import { sql } from "./sql.mjs";

const READ = "query ($id: ID!) { page(id: $id) { id title content course { id progress { percent } } } }";
const VISIT = `mutation ($id: ID!) { markPageVisited(input: { pageId: $id }) { page { id isVisited }
  course { id progress { percent } } } }`;

export const percentile = (times, part) => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)];
export const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

/**
 * Starts a server with a class of the shape, calls `measure`, and stops the server. `measure` gets the server, the ID of the course, the token
 * of its owner, the IDs and kinds of its pages in order, and the tokens of the `readers` students who have read least, with the number of pages
 * that each of them has read at most.
 */
export async function withClass({ database, shape, readers }, measure) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    await writeCourse(folder, shape.pages);
    const { course_id: course } = await server.import(folder, admin.email);
    await server.pause();
    await sql(server, database, seed(database, course, shape));
    await sql(
      server,
      database,
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email_key = '${admin.email}')
       WHERE email_key LIKE 'student%';`,
    );
    await server.resume();
    process.stderr.write(`${database}: the class is inserted\n`);

    const token = await login(server.url, admin.email, admin.password);
    const tree = await graphql(
      server.url,
      token,
      "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id kind } } } } }",
      { id: course },
    );
    const pages = tree.course.modules.flatMap(({ lessons }) => lessons.flatMap((lesson) => lesson.pages));
    const least = Array.from({ length: shape.students }, (_, n) => n)
      .toSorted((a, b) => done(shape, a) - done(shape, b))
      .slice(0, readers);
    const tokens = [];
    for (const n of least) tokens.push(await login(server.url, `student${n}@example.com`, admin.password));
    return await measure({ server, course, token, pages, tokens, haveRead: done(shape, least.at(-1)) });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads a page for every second of the visits, each with a token and a page, and visits the others, `rate` per second, whether earlier requests
 * have been answered or not. Returns the time of each request in milliseconds.
 */
export async function read(url, visits, rate) {
  const sent = [];
  const from = performance.now();
  for (const [n, { token, page }] of visits.entries()) {
    await pause(Math.max(0, from + (n * 1000) / rate - performance.now()));
    const started = performance.now();
    const query = n % 2 === 0 ? VISIT : READ;
    const answer = post(url, "/graphql", { query, variables: { id: page } }, token);
    sent.push(
      answer.then(({ errors }) => {
        if (errors) throw new Error(JSON.stringify(errors));
        return performance.now() - started;
      }),
    );
  }
  return Promise.all(sent);
}
