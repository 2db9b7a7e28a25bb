// Generates the class that the benchmarks of its screens measure: students with visits, attempts, progress bitmaps and attempt counts, as the
// server stores them. Creating them through the API would take too long: SQL inserts them while the server is stopped.
import { randomUUID } from "node:crypto";
import { literals } from "./sql.mjs";

const surnames = ["Иванов", "Петрова", "Сидоров", "Кузнецова", "Ёлкин", "Смирнова", "Попов", "Фёдорова"];
const names = ["Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Жанна", "Захар", "Инна"];

/**
 * A class of `students` in a course of `pages` pages, of which every `nth` is a quiz of three points. Pages are numbered by ID, which is the
 * order of their import.
 * @typedef {{ students: number, pages: number, nth: number }} Shape
 */

/** The number of pages that student `n` has completed, in page order: at least half of them. */
export const done = ({ pages }, n) => pages / 2 + ((n * 37) % (pages / 2 + 1));
const isQuiz = ({ nth }, page) => page % nth === nth - 1;

/** The stored progress bitmap as hex. Bit 2n: page n is visited; bit 2n + 1: its quiz is passed. */
function marks(shape, n) {
  const bytes = Buffer.alloc(Math.ceil((2 * done(shape, n)) / 8));
  for (let page = 0; page < done(shape, n); page++) {
    bytes[(2 * page) >> 3] |= 1 << ((2 * page) & 7);
    if (isQuiz(shape, page)) bytes[(2 * page + 1) >> 3] |= 1 << ((2 * page + 1) & 7);
  }
  return bytes.toString("hex");
}

/**
 * Whether the student's first attempt at the quiz fails: two in seven, different quizzes for each student. The average of the first
 * question of each quiz is thus 71 %; questions above 80 % are not listed as hard.
 */
const failsFirst = (n, page) => (n + page) % 7 < 2;

/** The stored attempt counts as hex, nine bytes per attempted quiz: page number, number of attempts, best percent. */
function tries(shape, n) {
  const quizzes = Array.from({ length: done(shape, n) }, (_, page) => page).filter((page) =>
    isQuiz(shape, page),
  );
  const bytes = Buffer.alloc(9 * quizzes.length);
  quizzes.forEach((page, at) => {
    bytes.writeUInt32LE(page, 9 * at);
    bytes.writeUInt32LE(failsFirst(n, page) ? 2 : 1, 9 * at + 4);
    bytes.writeUInt8(100, 9 * at + 8);
  });
  return bytes.toString("hex");
}

/** The SQL that inserts the class; the databases differ in the literals of IDs, bytes and times. */
export function seed(database, course, shape) {
  const { students, pages, nth } = shape;
  const { bytes, id, time: instant } = literals(database);
  const time = (second) => instant(new Date(Date.UTC(2026, 8, 1) + 1000 * second));
  const questions = [randomUUID(), randomUUID(), randomUUID()];
  const prompt = {
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [{ type: "text", text: "Сколько будет?" }],
      },
    ],
  };
  const quiz = JSON.stringify({
    pass_percent: 70,
    max_attempts: null,
    shuffle_questions: false,
    shuffle_options: false,
    reveal: "after_pass",
    questions: questions.map((id) => ({
      id,
      type: "short_text",
      prompt,
      points: 1,
      explanation: null,
      accepted: ["да"],
      case_sensitive: false,
      regex: null,
    })),
  });
  const answers = JSON.stringify(questions.map((question_id) => ({ question_id, text: "да" })));
  const results = (right) =>
    JSON.stringify(
      questions.map((question_id, at) => ({
        question_id,
        points: right || at > 0 ? 1 : 0,
        max_points: 1,
        correct: right || at > 0,
      })),
    );
  const newId =
    database === "sqlite" ? "randomblob(16)" : "gen_random_uuid()"; /* attempts need no time-ordered ID */

  const rows = Array.from({ length: students }, (_, n) => ({
    n,
    user: randomUUID(),
    enrollment: randomUUID(),
  }));
  const list = (row) => rows.map((each) => `(${row(each)})`).join(",\n");
  const where = `course_id = ${id(course)}`;
  return `
BEGIN;
INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at) VALUES
${list(({ n, user }) => `${id(user)}, 'student${n}@example.com', 'student${n}@example.com', '${surnames[n % 8]} ${names[n % 9]} ${n}', '-', TRUE, FALSE, ${time(n)}`)};
INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries) VALUES
${list(({ n, user, enrollment }) => `${id(enrollment)}, ${id(course)}, ${id(user)}, ${time(n)}, ${time(100_000 + ((n * 7919) % 50_000))}, ${bytes(marks(shape, n))}, ${bytes(tries(shape, n))}`)};
CREATE TEMPORARY TABLE seeded (enrollment_id UUID NOT NULL, done BIGINT NOT NULL, n BIGINT NOT NULL);
INSERT INTO seeded VALUES ${list(({ n, enrollment }) => `${id(enrollment)}, ${done(shape, n)}, ${n}`)};
UPDATE pages SET mark_no = fresh.mark_no, kind = CASE WHEN fresh.mark_no % ${nth} = ${nth - 1} THEN 'quiz' ELSE 'content' END
FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS mark_no FROM pages WHERE ${where}) fresh WHERE pages.id = fresh.id;
UPDATE page_contents SET quiz = '${quiz}' WHERE page_id IN (SELECT id FROM pages WHERE ${where} AND kind = 'quiz');
UPDATE courses SET mark_nos = ${pages}, structure_version = structure_version + 1 WHERE id = ${id(course)};
INSERT INTO visits (enrollment_id, page_id, visited_at)
SELECT s.enrollment_id, p.id, ${time(100_000)} FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.${where};
INSERT INTO taken_quizzes (page_id, version, quiz) SELECT id, version, '${quiz}' FROM pages WHERE ${where} AND kind = 'quiz';
INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
  submitted_at)
SELECT ${newId}, s.enrollment_id, p.id, 1, p.version, '${answers}',
  CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN '${results(false)}' ELSE '${results(true)}' END,
  CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN 2 ELSE 3 END, 3, CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN 66 ELSE 100 END,
  (s.n + p.mark_no) % 7 >= 2, ${time(100_000)}
FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.kind = 'quiz' AND p.${where};
INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
  submitted_at)
SELECT ${newId}, s.enrollment_id, p.id, 2, p.version, '${answers}', '${results(true)}', 3, 3, 100, TRUE, ${time(100_001)}
FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.kind = 'quiz' AND (s.n + p.mark_no) % 7 < 2 AND p.${where};
COMMIT;
ANALYZE;
`;
}
