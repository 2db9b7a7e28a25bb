// Learners take a quiz with a time limit while the server is killed: every attempt ends once, in time, with every acknowledged answer.
import { randomUUID } from "node:crypto";
import { School } from "./school.mjs";

const LEARNERS = 6;
const QUESTIONS = 8;
const LIMIT_SECONDS = 10;
const GRACE_SECONDS = 1;
/** How long after the grace period an attempt may end: the server waits three seconds, and looks for such attempts every second. */
const LEASE_MS = 8_000;

export class Exam {
  counts = { starts: 0, saves: 0, submissions: 0 };
  #isOver = false;
  #learners = [];

  /** A new course with the quiz and its learners. */
  static async open(server, admin, random) {
    const exam = new Exam();
    exam.random = random;
    exam.school = await School.open(server, admin, random);
    const { school } = exam;
    const module = await school.must("POST", `/courses/create_module/${school.course}`, school.token, {
      title: "Exam",
    });
    const lesson = await school.must("POST", `/courses/create_lesson/${module.id}`, school.token, {
      title: "Exam",
    });
    const question = { type: "short_text", prompt: "?", accepted: ["yes"] };
    const quiz = {
      time_limit_seconds: LIMIT_SECONDS,
      grace_seconds: GRACE_SECONDS,
      questions: Array.from({ length: QUESTIONS }, () => question),
    };
    const page = await school.must("POST", `/courses/create_page/${lesson.id}`, school.token, {
      title: "Exam",
      kind: "quiz",
      quiz,
    });
    exam.page = page.id;
    exam.questions = page.quiz.questions.map(({ id }) => id);
    for (let n = 0; n < LEARNERS; n += 1)
      exam.#learners.push({ token: await school.newLearner(), attempts: [] });
    return exam;
  }

  /** Starts the load; `rest` waits until every learner has noticed that the server is gone. */
  work() {
    this.#isOver = false;
    const all = this.#learners.map((learner) =>
      this.school.repeat(
        () => this.#step(learner),
        () => this.#isOver,
      ),
    );
    return Promise.all(all);
  }

  async rest(work) {
    this.#isOver = true;
    await work;
  }

  async #step(learner) {
    const attempt = learner.attempts.at(-1);
    if (!attempt || attempt.isEnded) return this.#start(learner);
    await new Promise((done) => setTimeout(done, this.random() * 100));
    if (this.random() < 0.01) return this.#submit(learner, attempt);
    await this.#save(learner, attempt);
  }

  async #start(learner) {
    const { attempt } = await this.school.ask("POST", `/courses/start_attempt/${this.page}`, learner.token);
    const known = learner.attempts.find(({ number }) => number === attempt.attempt_no);
    // The server has not ended it yet.
    if (known) return new Promise((done) => setTimeout(done, 100));
    learner.attempts.push({
      number: attempt.attempt_no,
      ticket: attempt.ticket,
      endsAt: attempt.ends_at,
      zero: performance.now() - attempt.elapsed_seconds * 1000,
      isEnded: false,
      /** By question: the texts sent, in order, and the place of the last acknowledged one. */
      answers: new Map(),
    });
    this.counts.starts += 1;
  }

  async #save(learner, attempt) {
    const question_id = this.questions[Math.floor(this.random() * QUESTIONS)];
    const text = this.random() < 0.5 ? "yes" : `no ${randomUUID()}`;
    const answer = attempt.answers.get(question_id) ?? { sent: [], acknowledged: -1 };
    attempt.answers.set(question_id, answer);
    const elapsed_seconds = (performance.now() - attempt.zero) / 1000;
    const place = answer.sent.push(text) - 1;
    const body = { ticket: attempt.ticket, elapsed_seconds, answers: [{ question_id, text }] };
    const saved = await this.school.ask(
      "PUT",
      `/courses/save_answers/${this.page}`,
      learner.token,
      body,
      [409],
    );
    if (saved.status === 409) {
      // Nothing was saved: the time is over.
      answer.sent.pop();
      attempt.isEnded = true;
      return;
    }
    if (elapsed_seconds > LIMIT_SECONDS + 0.5)
      throw new Error(`an answer was saved ${elapsed_seconds} s after the start`);
    answer.acknowledged = place;
    this.counts.saves += 1;
  }

  async #submit(learner, attempt) {
    // Afterwards nobody saves, so no answer can be lost by the submission.
    attempt.isEnded = true;
    const done = await this.school.ask(
      "POST",
      `/courses/submit_quiz/${this.page}`,
      learner.token,
      { answers: [] },
      [409],
    );
    if (done.status !== 409) this.counts.submissions += 1;
  }

  /** Waits until all attempts must have ended, and compares them with what was acknowledged. */
  async verify() {
    await new Promise((done) => setTimeout(done, (LIMIT_SECONDS + GRACE_SECONDS) * 1000 + LEASE_MS));
    for (const learner of this.#learners) {
      const page = await this.school.must("GET", `/courses/enrolled_page/${this.page}`, learner.token);
      if (page.running_attempt) throw new Error(`attempt ${page.running_attempt.attempt_no} never ends`);
      const numbers = page.attempts.map(({ attempt_no }) => attempt_no);
      if (numbers.some((number, at) => number !== at + 1))
        throw new Error(`the attempts are numbered ${numbers}`);
      for (const attempt of learner.attempts) {
        const ended = page.attempts.find(({ attempt_no }) => attempt_no === attempt.number);
        if (!ended) throw new Error(`attempt ${attempt.number} is lost`);
        if (new Date(ended.submitted_at) > new Date(attempt.endsAt))
          throw new Error(
            `attempt ${attempt.number} ended at ${ended.submitted_at}, after ${attempt.endsAt}`,
          );
        for (const [question, { sent, acknowledged }] of attempt.answers) {
          const { correct } = ended.results.find(({ question_id }) => question_id === question);
          // The last acknowledged answer, or one that was sent later and got no response.
          const possible = sent.slice(Math.max(acknowledged, 0)).map((text) => text === "yes");
          if (acknowledged < 0) possible.push(false);
          if (!possible.includes(correct))
            throw new Error(`an acknowledged answer of attempt ${attempt.number} does not count`);
        }
      }
    }
  }
}
