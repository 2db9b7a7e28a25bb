// The load of the crash tests: simulated people write and record what the server acknowledged, which is compared with what it returns later.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { login } from "../../scripts/client.mjs";

const password = "correct-horse-battery";
/** The timeout of a call, for a server that was killed. */
const PATIENCE_MS = 20_000;
/** Concurrent people. */
const AUTHORS = 2;
export const LEARNERS = 4;

export class School {
  counts = {
    acknowledged: {
      enrollments: 0,
      visits: 0,
      attempts: 0,
      handIns: 0,
      assessments: 0,
      drafts: 0,
      saves: 0,
      files: 0,
      accounts: 0,
    },
    /** Calls without a response. */
    inFlight: 0,
    /** Responses that were neither a success nor 503. */
    refused: [],
    /** Responses with 500, or 503 without Retry-After. */
    faults: [],
  };
  #isOver = false;
  /** By page: the texts sent, in order, and the last acknowledged one. */
  #saves = new Map();
  /** Acknowledged learners: token, visited pages, submissions by id, the texts of their draft as those of saves. */
  #learners = [];
  #files = [];
  /** Acknowledged attempts at the quiz of an essay and a file: the text, the hash of the file, and the points that a grader gave. */
  #handIns = [];

  static async open(server, admin, random) {
    const school = new School(server, random);
    school.token = await login(server.url, admin.email, admin.password);
    const course = await school.must("POST", "/courses/create_course", school.token, { title: "Torture" });
    school.course = course.id;
    const { share_code } = await school.must(
      "POST",
      `/courses/generate_share_code/${course.id}`,
      school.token,
    );
    school.code = share_code;
    const module = await school.must("POST", `/courses/create_module/${course.id}`, school.token, {
      title: "M",
    });
    const lesson = await school.must("POST", `/courses/create_lesson/${module.id}`, school.token, {
      title: "L",
    });
    const make = async (body) => school.must("POST", `/courses/create_page/${lesson.id}`, school.token, body);
    school.pages = [];
    for (let n = 0; n < 6; n += 1) {
      const page = await make({ title: `P${n}`, kind: "content" });
      school.pages.push(page.id);
    }
    // The load does not write to this page; tests may.
    school.spare = (await make({ title: "Spare", kind: "content" })).id;
    const question = { type: "short_text", prompt: "?", accepted: ["yes"] };
    const quiz = await make({ title: "Q", kind: "quiz", quiz: { questions: [question] } });
    school.quiz = quiz.id;
    school.question = quiz.quiz.questions[0].id;
    const open = ["essay", "file_upload"].map((type) => ({ type, prompt: "?", points: 1000 }));
    const work = await make({ title: "W", kind: "quiz", quiz: { questions: open } });
    school.handInPage = work.id;
    school.open = work.quiz.questions.map(({ id }) => id);
    school.assignment = (await make({ title: "A", kind: "assignment" })).id;
    return school;
  }

  constructor(server, random) {
    this.server = server;
    this.random = random;
  }

  /** Starts the load; `rest` waits until every task has noticed that the server is gone. */
  work() {
    this.#isOver = false;
    const repeat = (step) => this.repeat(step, () => this.#isOver);
    const authors = Array.from({ length: AUTHORS }, (_, n) => repeat(() => this.#author(n)));
    const learners = Array.from({ length: LEARNERS }, () => repeat(() => this.#learner()));
    // One grader, so that the order of assessments is known.
    return Promise.all([...authors, ...learners, repeat(() => this.#grader())]);
  }

  async rest(work) {
    this.#isOver = true;
    await work;
  }

  /** Repeats a step until `isOver`, also after a step that got no response. */
  async repeat(step, isOver) {
    while (!isOver()) {
      try {
        await step();
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        // The server may respond again soon, because only PostgreSQL restarts.
        await new Promise((done) => setTimeout(done, 20));
      }
    }
  }

  #pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  async #author(n) {
    if (this.random() < 0.3) return this.#upload();
    // Each author has separate pages, so that the order of saves is known.
    const page = this.pages[2 * Math.floor(this.random() * 3) + n];
    const text = randomUUID();
    const save = this.#saves.get(page) ?? { sent: [], acknowledged: undefined };
    this.#saves.set(page, save);
    const place = save.sent.push(text) - 1;
    const content = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
    if (await this.ask("PUT", `/courses/update_page/${page}`, this.token, { content })) {
      save.acknowledged = place;
      this.counts.acknowledged.saves += 1;
    }
  }

  async #upload() {
    const bytes = randomBytes(1 + Math.floor(this.random() * 200_000));
    const form = new FormData();
    form.set("file", new Blob([bytes]), "a.bin");
    const file = await this.ask("POST", "/courses/upload_file", this.token, form);
    if (!file) return;
    this.#files.push({ url: file.url, sha: sha(bytes), at: performance.now() });
    this.counts.acknowledged.files += 1;
  }

  async #learner() {
    if (this.#learners.length < 3 || this.random() < 0.1) return this.#newcomer();
    const learner = this.#pick(this.#learners);
    if (!learner.isEnrolled) return this.#enroll(learner);
    if (this.random() < 0.6) {
      const page = this.#pick(this.pages);
      if (await this.ask("POST", `/courses/mark_page_visited/${page}`, learner.token)) {
        learner.visited.add(page);
        this.counts.acknowledged.visits += 1;
      }
      return;
    }
    if (this.random() < 0.3) return this.#handIn(learner);
    if (this.random() < 0.4) return this.#draft(learner);
    const submission_id = randomUUID();
    const text = this.random() < 0.3 ? "yes" : "no";
    const body = { submission_id, answers: [{ question_id: this.question, text }] };
    learner.submitted.push(submission_id);
    const attempt = await this.ask("POST", `/courses/submit_quiz/${this.quiz}`, learner.token, body);
    if (!attempt) return;
    learner.attempts.push({ body, percent: attempt.percent });
    this.counts.acknowledged.attempts += 1;
  }

  /** Saves the draft of a learner, one after another, so that the order of the texts is known. */
  async #draft(learner) {
    const { drafts } = learner;
    if (drafts.isBusy) return;
    drafts.isBusy = true;
    try {
      // After a crash nobody knows whether the last save was stored.
      const { draft } = await this.ask("GET", `/courses/answer_draft/${this.assignment}`, learner.token);
      const text = randomUUID();
      const place = drafts.sent.push(text) - 1;
      const body = { version: draft?.version ?? 0, content: text };
      await this.ask("PUT", `/courses/save_answer_draft/${this.assignment}`, learner.token, body);
      drafts.acknowledged = place;
      this.counts.acknowledged.drafts += 1;
    } finally {
      drafts.isBusy = false;
    }
  }

  async #handIn(learner) {
    const [essay, upload] = this.open;
    const bytes = randomBytes(1 + Math.floor(this.random() * 20_000));
    const form = new FormData();
    form.set("file", new Blob([bytes]), "work.bin");
    const path = `/courses/upload_answer_file/${this.handInPage}/${upload}`;
    const file = await this.ask("POST", path, learner.token, form);
    const text = randomUUID();
    const answers = [
      { question_id: essay, content: text },
      { question_id: upload, file_ids: [file.id] },
    ];
    const attempt = await this.ask("POST", `/courses/submit_quiz/${this.handInPage}`, learner.token, {
      answers,
    });
    this.#handIns.push({
      attempt: attempt.attempt_id,
      text,
      sha: sha(bytes),
      points: [],
      acknowledged: undefined,
    });
    this.counts.acknowledged.handIns += 1;
  }

  /** Gives the essay of an attempt as many points as it had assessments, so that a lost one is seen. */
  async #grader() {
    const work = this.#handIns.length > 0 ? this.#pick(this.#handIns) : undefined;
    if (!work) return new Promise((done) => setTimeout(done, 20));
    const id = `${work.attempt}/${this.open[0]}`;
    const { version } = await this.ask("GET", `/courses/open_answer/${id}`, this.token);
    if (version >= 900) return;
    const points = version + 1;
    work.points.push(points);
    await this.ask("PUT", `/courses/assess_answer/${id}`, this.token, { version, points });
    work.acknowledged = points;
    this.counts.acknowledged.assessments += 1;
  }

  async #newcomer() {
    const email = `${randomUUID()}@example.com`;
    if (!(await this.ask("POST", "/users/signup", undefined, { email, password }))) return;
    this.counts.acknowledged.accounts += 1;
    const form = new URLSearchParams({ username: email, password });
    const signedIn = await this.ask("POST", "/login/access-token", undefined, form);
    const learner = {
      email,
      token: signedIn?.access_token,
      visited: new Set(),
      submitted: [],
      attempts: [],
      drafts: { sent: [], acknowledged: undefined, isBusy: false },
    };
    if (!learner.token) return;
    this.#learners.push(learner);
    await this.#enroll(learner);
  }

  async #enroll(learner) {
    if (!(await this.ask("POST", "/courses/enroll", learner.token, { share_code: this.code }))) return;
    // Two tasks may have enrolled the same learner concurrently; it counts once.
    if (learner.isEnrolled) return;
    learner.isEnrolled = true;
    this.counts.acknowledged.enrollments += 1;
  }

  /** Creates an enrolled account, and returns its token. */
  async newLearner() {
    const email = `${randomUUID()}@example.com`;
    await this.must("POST", "/users/signup", undefined, { email, password });
    const form = new URLSearchParams({ username: email, password });
    const { access_token } = await this.must("POST", "/login/access-token", undefined, form);
    await this.must("POST", "/courses/enroll", access_token, { share_code: this.code });
    return access_token;
  }

  /** Snapshots what was acknowledged so far, to be verified on a restored backup that starts after this call. */
  known() {
    const known = new School(undefined, this.random);
    const { token, course, quiz, open, assignment } = this;
    Object.assign(known, { token, course, quiz, open, assignment });
    known.#handIns = this.#handIns.map((work) => ({ ...work }));
    // Later writes may be in the backup too, so the lists of sent texts keep growing.
    known.#saves = new Map([...this.#saves].map(([page, save]) => [page, { ...save }]));
    known.#learners = this.#learners.map(({ visited, attempts, drafts, ...learner }) => ({
      ...learner,
      drafts: { ...drafts },
      visited: new Set(visited),
      attempts: [...attempts],
    }));
    // The restored server removes no files for days.
    known.#files = this.#files.map((file) => ({ ...file, at: Number.POSITIVE_INFINITY }));
    return known;
  }

  /** Checks that everything acknowledged is there, and nothing that was never sent. */
  async verify() {
    for (const learner of this.#learners.filter(({ isEnrolled }) => isEnrolled)) {
      const facts = await this.must("GET", `/courses/debug_progress/${this.course}`, learner.token);
      const pages = new Map(facts.pages.map((page) => [page.page_id, page]));
      for (const page of learner.visited)
        if (!pages.get(page)?.visited_at) throw new Error(`a visit of ${learner.email} is lost`);
      const { attempts } = pages.get(this.quiz);
      if (attempts < learner.attempts.length || attempts > learner.submitted.length)
        throw new Error(
          `${attempts} attempts of ${learner.email}; ${learner.attempts.length} were acknowledged, ${learner.submitted.length} sent`,
        );
      const { sent, acknowledged } = learner.drafts;
      if (acknowledged !== undefined) {
        const { draft } = await this.must("GET", `/courses/answer_draft/${this.assignment}`, learner.token);
        const text = JSON.stringify(draft);
        if (!sent.slice(acknowledged).some((one) => text.includes(one)))
          throw new Error(`the last acknowledged draft of ${learner.email} is lost: ${text}`);
      }
      // Repeating an acknowledged submission returns the same attempt, once.
      const known = learner.attempts.at(-1);
      if (!known) continue;
      const again = await this.must("POST", `/courses/submit_quiz/${this.quiz}`, learner.token, known.body);
      if (again.percent !== known.percent) throw new Error(`an attempt of ${learner.email} has changed`);
    }
    for (const [page, { sent, acknowledged }] of this.#saves) {
      const { content } = await this.must("GET", `/courses/get_page/${page}`, this.token);
      const text = JSON.stringify(content);
      if (acknowledged !== undefined && !sent.slice(acknowledged).some((one) => text.includes(one)))
        throw new Error(`the last acknowledged save of page ${page} is lost: ${text}`);
    }
    for (const work of this.#handIns) {
      const read = (question) =>
        this.must("GET", `/courses/open_answer/${work.attempt}/${question}`, this.token);
      const [essay, upload] = [await read(this.open[0]), await read(this.open[1])];
      if (!JSON.stringify(essay.content).includes(work.text))
        throw new Error("the text of a hand-in is lost");
      const { acknowledged, points } = work;
      if (essay.version !== (essay.points ?? 0) || essay.history.length !== essay.version)
        throw new Error(`an answer has ${essay.points} points after ${essay.version} assessments`);
      if (acknowledged !== undefined && (essay.points < acknowledged || !points.includes(essay.points)))
        throw new Error(`an answer has ${essay.points} points; ${acknowledged} were acknowledged`);
      const file = await fetch(this.server.url + upload.files[0].url);
      if (!file.ok) throw new Error(`the file of a hand-in is lost: ${file.status}`);
      if (sha(Buffer.from(await file.arrayBuffer())) !== work.sha)
        throw new Error("the file of a hand-in is not whole");
    }
    // Unused files are removed after a grace period of ten seconds; newer ones must be intact.
    const young = this.#files.filter(({ at }) => performance.now() - at < 8_000);
    for (const { url, sha: expected } of young) {
      const answer = await fetch(this.server.url + url);
      if (!answer.ok) throw new Error(`the file ${url} is lost: ${answer.status}`);
      if (sha(Buffer.from(await answer.arrayBuffer())) !== expected)
        throw new Error(`the file ${url} is not whole`);
    }
    this.#files = young;
  }

  /** Retries until the running server succeeds: its database may still be starting. */
  async must(method, path, token, body) {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#send(method, path, token, body).catch((error) => error);
      if (answer instanceof Response && answer.ok) return answer.json();
      const why = answer instanceof Response ? `${answer.status} ${await answer.text()}` : String(answer);
      const isPassing = !(answer instanceof Response) || answer.status >= 500;
      if (!isPassing || performance.now() > until) throw new Error(`${method} ${path}: ${why}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** The body of the response, or one of the `expected` refusals with its status. Without a response, or with 503, the step ends. */
  async ask(method, path, token, body, expected = []) {
    let answer;
    try {
      answer = await this.#send(method, path, token, body);
      if (answer.ok) return await answer.json();
      if (expected.includes(answer.status)) return { ...(await answer.json()), status: answer.status };
    } catch {
      this.counts.inFlight += 1;
      throw new Gone();
    }
    // A restarting database causes 503, which promises nothing; a 4xx would be a bug.
    if (answer.status >= 500 && !(answer.status === 503 && answer.headers.get("retry-after")))
      this.counts.faults.push(`${method} ${path}: ${answer.status} ${await answer.text().catch(() => "")}`);
    else if (answer.status < 500 && answer.status !== 429)
      this.counts.refused.push(`${method} ${path}: ${answer.status} ${await answer.text().catch(() => "")}`);
    else this.counts.inFlight += 1;
    throw new Gone();
  }

  #send(method, path, token, body) {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    return fetch(`${this.server.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      body: body && !isForm ? JSON.stringify(body) : body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }
}

class Gone extends Error {}

function sha(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
