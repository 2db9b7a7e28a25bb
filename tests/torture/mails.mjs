// Announcements are mailed while the server is killed and the mail server fails: every learner gets every announcement, none in two different mails.
import { MailServer } from "../../scripts/mail-server.mjs";
import { Server } from "../../scripts/server.mjs";
import { School } from "./school.mjs";

const LEARNERS = 12;
/** A learner gets at most 50 mails about notices a day. */
const MOST = 45;
/** The lease of a mail is 90 s; a mail that failed several times waits up to 90 s more, and due notices are looked for every 15 s. */
const PATIENCE_MS = 240_000;

/**
 * Kills the server `kills` times or, without a number, again and again for the given seconds.
 * @returns a summary; throws on a violation
 */
export async function mails({ database, admin, random, kills, seconds }) {
  let isFailing = true;
  const smtp = await MailServer.start(() => {
    const roll = isFailing ? random() : 1;
    if (roll < 0.1) return "refuse";
    if (roll < 0.2) return "lose";
    return roll < 0.25 ? "accept silently" : undefined;
  });
  const settings = { KURSO_LOG: "error", KURSO_SMTP_URL: smtp.url };
  const server = await Server.start({ database, settings });
  try {
    const school = await School.open(server, admin, random);
    for (let n = 0; n < LEARNERS; n += 1) await school.newLearner();
    const until = performance.now() + seconds * 1000;
    let count = 0;
    let sent = 0;
    while (kills === undefined ? performance.now() < until : count < kills) {
      let isOver = false;
      const work = school.repeat(
        async () => {
          await sleep(200 + random() * 600);
          if (sent < MOST) {
            sent += 1;
            await announce(school, sent);
          }
        },
        () => isOver,
      );
      await sleep(50 + random() * 1_500);
      await server.crash();
      isOver = true;
      await work;
      await server.resume();
      count += 1;
    }
    isFailing = false;
    const expected = (await published(school)) * LEARNERS;
    const stopped = performance.now();
    let received = check(smtp.mails);
    while (received.pairs < expected && performance.now() - stopped < PATIENCE_MS) {
      await sleep(500);
      received = check(smtp.mails);
    }
    const last = (performance.now() - stopped) / 1000;
    if (received.pairs !== expected)
      throw new Error(`${expected} announcements should have arrived, ${received.pairs} did`);
    const { refused, faults } = school.counts;
    if (refused.length > 0) throw new Error(`refused: ${refused.slice(0, 5).join("; ")}`);
    if (faults.length > 0) throw new Error(`faults, not refusals: ${faults.slice(0, 5).join("; ")}`);
    const { problems, findings } = JSON.parse(await server.cli("check", "--deep", "--json"));
    if (problems > 0) throw new Error(`check found ${JSON.stringify(findings)}`);
    return `${count} crashes, ${expected} announcements to learners in ${received.mails} mails, the last ${last.toFixed(0)} s after the end; ${received.copies} arrived again with the same Message-ID`;
  } finally {
    await server.stop();
    await smtp.stop();
  }
}

async function announce(school, n) {
  const text = [{ type: "text", text: "Read this." }];
  const content = { type: "doc", content: [{ type: "paragraph", content: text }] };
  const path = `/courses/create_announcement/${school.course}`;
  await school.ask("POST", path, school.token, { title: `News-${n}-`, content });
}

/** The number of announcements that the server has stored, acknowledged or not. */
async function published(school) {
  const path = `/courses/announcements/${school.course}?limit=100`;
  return (await school.must("GET", path, school.token)).count;
}

/** Counts the announcements in the mails; throws if two different mails bring the same one to the same person. */
function check(mails) {
  const brought = new Map();
  const ids = new Set();
  let copies = 0;
  for (const { to, source, text } of mails) {
    const id = /^Message-ID: *(\S+)/im.exec(source)?.[1];
    if (!id) throw new Error(`a mail without Message-ID:\n${source}`);
    if (ids.has(id)) copies += 1;
    ids.add(id);
    for (const title of new Set(text.match(/News-\d+-/g))) {
      const pair = `${to} ${title}`;
      const other = brought.get(pair);
      if (other && other !== id) throw new Error(`${pair} came in two mails: ${other}, ${id}`);
      brought.set(pair, id);
    }
  }
  return { pairs: brought.size, mails: ids.size, copies };
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
