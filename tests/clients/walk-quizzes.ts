// The part of walk.ts about quizzes and assignments: answers, their grading, groups and the gradebook.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { course, learnerOf, nowhere, ok, person, picture, refused, text } from "./client.js";

test("a person grades an essay", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const essay = { type: "essay" as const, prompt: text("Why?"), points: 4, min_words: 2 };
  const quiz = { release: "together" as const, questions: [essay] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client } = await learnerOf(owner, course_id);
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "essay");
  const answers = [{ question_id: question.id, content: text("Because of it") }];
  const attempt = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers } }));
  assert.deepEqual([attempt.waiting_answers, attempt.results[0]?.is_waiting], [1, true]);
  const query = { state: "waiting" };
  const queue = await ok(kurso.coursesGradingQueue({ client: owner, path: { course_id }, query }));
  const { attempt_id, question_id } = queue.data[0] ?? { attempt_id: nowhere, question_id: nowhere };
  const next = await ok(kurso.coursesClaimNextAnswer({ client: owner, path: { course_id } }));
  assert.equal(next?.attempt_id, attempt.attempt_id);
  const answer = { client: owner, path: { attempt_id, question_id } };
  assert.equal((await ok(kurso.coursesClaimAnswer(answer))).words, 3);
  const body = { version: 0, points: 3.5, comment: "Good" };
  assert.equal((await ok(kurso.coursesAssessAnswer({ ...answer, body }))).state, "graded");
  const stale = await refused(kurso.coursesAssessAnswer({ ...answer, body }), 409);
  assert.equal("answer" in stale && stale.answer?.points, 3.5);
  await ok(kurso.coursesReleaseAssessments({ client: owner, path: { page_id } }));
  assert.equal((await ok(kurso.coursesOpenAnswer(answer))).history[0]?.comment, "Good");
  const { attempts } = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  assert.deepEqual([attempts[0]?.percent, attempts[0]?.results[0]?.comment], [87, "Good"]);

  const changed = { ...quiz, questions: [{ ...essay, id: question.id, points: 8 }] };
  const drafted = { client: owner, path: { page_id }, body: { draft: true, quiz: changed } };
  const { version } = await ok(kurso.coursesUpdatePage(drafted));
  const publish = { pages: [{ page_id, version, page_version: 1 }], past_attempts: "regrade" as const };
  const published = kurso.coursesPublishPageDrafts({ client: owner, path: { course_id }, body: publish });
  const { regrade } = await ok(published);
  assert.deepEqual([regrade?.attempts, regrade?.changed], [1, 1]);
  const undo = { client: owner, path: { regrade_id: regrade?.id ?? nowhere } };
  assert.equal((await ok(kurso.coursesUndoRegrade(undo))).left, 0);
});

test("a missed question is practised", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const question = { type: "numeric" as const, prompt: text("How much?"), value: 4 };
  const quiz = { reveal: "after_submit" as const, questions: [question] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client } = await learnerOf(owner, course_id);
  assert.equal((await ok(kurso.coursesPractice({ client }))).next_due_at, null);
  await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers: [] } }));
  const later = await ok(kurso.coursesPractice({ client }));
  assert.deepEqual([later.due_count, later.questions.length], [0, 0]);
  assert.ok(later.next_due_at);
  const path = { card_id: nowhere };
  const answer = { question_id: nowhere, number: "4" };
  await refused(kurso.coursesAnswerPractice({ client, path, body: { reviews: 1, answer } }), 404);
  await refused(kurso.coursesSetPractice({ client, path, body: { is_stopped: true } }), 404);
});

test("a person grades an essay by a rubric", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const levels = [
    { name: "Clear", points: 2 },
    { name: "None", points: 0 },
  ];
  const rubric = { is_shown: true, criteria: [{ name: "Idea", levels }] };
  const essay = { type: "essay" as const, prompt: text("Why?"), points: 2, rubric };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({
      client: owner,
      path: { lesson_id },
      body: { kind: "quiz", quiz: { questions: [essay] } },
    }),
  );
  const [used] = await ok(kurso.coursesRubrics({ client: owner, path: { course_id } }));
  assert.deepEqual([used?.page_id, used?.number, used?.prompt], [page_id, 1, "Why?"]);
  const { client } = await learnerOf(owner, course_id);
  await refused(kurso.coursesRubrics({ client, path: { course_id } }), 403);
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "essay");
  const criterion = question.rubric?.criteria[0];
  const answers = [{ question_id: question.id, content: text("Because of it") }];
  const { attempt_id } = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers } }));
  const level_id = criterion?.levels[0]?.id ?? nowhere;
  const marks = [{ criterion_id: criterion?.id ?? nowhere, level_id, comment: "Well" }];
  const pins = [{ start: 0, end: 7, comment: "Here" }];
  const path = { attempt_id, question_id: question.id };
  const graded = await ok(
    kurso.coursesAssessAnswer({ client: owner, path, body: { version: 0, marks, pins } }),
  );
  assert.deepEqual([graded.points, graded.marks, graded.pins], [2, marks, pins]);
  const { attempts } = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  const result = attempts[0]?.results[0];
  assert.deepEqual([result?.marks?.[0]?.level, result?.pins?.[0]?.comment], ["Clear", "Here"]);
});

test("a learner answers with a file, which its owner reads", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const files = { type: "file_upload" as const, prompt: text("Your picture?"), extensions: ["png"] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({
      client: owner,
      path: { lesson_id },
      body: { kind: "quiz", quiz: { questions: [files] } },
    }),
  );
  const { client } = await learnerOf(owner, course_id);
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "file_upload");
  assert.deepEqual([question.max_files, question.extensions], [1, ["png"]]);
  const { id: question_id } = question;
  const path = { page_id, question_id };
  const file = await ok(kurso.coursesUploadAnswerFile({ client, path, body: { file: picture } }));
  const answers = [{ question_id, file_ids: [file.id] }];
  const { attempt_id } = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers } }));
  const read = await ok(kurso.coursesOpenAnswer({ client: owner, path: { attempt_id, question_id } }));
  assert.equal(read.content, null);
  // The address of a later response may end later.
  assert.deepEqual({ ...read.files[0], url: "" }, { ...file, url: "" });
});

test("a learner takes a quiz with a time limit", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const sum = { type: "numeric" as const, prompt: text("2 + 2?"), value: 4 };
  const quiz = { time_limit_seconds: 600, grace_seconds: 5, questions: [sum] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client } = await learnerOf(owner, course_id);
  const path = { page_id };
  const before = await ok(kurso.coursesEnrolledPage({ client, path }));
  assert.deepEqual(
    [before.quiz?.questions, before.quiz?.question_count, before.running_attempt],
    [[], 1, null],
  );
  const { attempt, quiz: shown } = await ok(kurso.coursesStartAttempt({ client, path }));
  assert.deepEqual([attempt.attempt_no, attempt.duration_seconds, attempt.grace_seconds], [1, 600, 5]);
  const question_id = shown.questions[0]?.id ?? nowhere;
  const save = {
    ticket: attempt.ticket,
    elapsed_seconds: attempt.elapsed_seconds,
    answers: [{ question_id, number: "4" }],
  };
  const saved = await ok(kurso.coursesSaveAnswers({ client, path, body: save }));
  assert.ok(saved.elapsed_seconds >= attempt.elapsed_seconds);
  const running = (await ok(kurso.coursesEnrolledPage({ client, path }))).running_attempt;
  assert.deepEqual(running?.answers, save.answers);
  assert.ok((await ok(kurso.coursesSubmitQuiz({ client, path, body: { answers: [] } }))).passed);
  await refused(kurso.coursesSaveAnswers({ client, path, body: save }), 409);
  await refused(kurso.coursesStartAttempt({ client: owner, path }), 403);
});

test("a learner checks question by question", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const sum = (value: number) => ({ type: "numeric" as const, prompt: text("How much?"), value });
  const quiz = {
    checking: "each_question" as const,
    reveal: "after_submit" as const,
    questions: [sum(4), sum(6)],
  };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client } = await learnerOf(owner, course_id);
  const path = { page_id };
  const { attempt, quiz: shown } = await ok(kurso.coursesStartAttempt({ client, path }));
  assert.deepEqual([shown.checking, attempt.checked], ["each_question", []]);
  const question_id = shown.questions[0]?.id ?? nowhere;
  const check = (number: string) => ({
    path,
    body: { ticket: attempt.ticket, elapsed_seconds: 0, answer: { question_id, number } },
  });
  const checked = await ok(kurso.coursesCheckAnswer({ client, ...check("5") }));
  assert.deepEqual([checked.result.correct, checked.answer], [false, { question_id, number: "5" }]);
  assert.deepEqual((await ok(kurso.coursesCheckAnswer({ client, ...check("4") }))).result, checked.result);
  const running = (await ok(kurso.coursesEnrolledPage({ client, path }))).running_attempt;
  assert.deepEqual(running?.checked, [checked.result]);
  const save = { ticket: attempt.ticket, elapsed_seconds: 0, answers: [{ question_id, number: "4" }] };
  const saved = await ok(kurso.coursesSaveAnswers({ client, path, body: save }));
  assert.deepEqual(saved.fixed_question_ids, [question_id]);
  await refused(kurso.coursesCheckAnswer({ client: owner, ...check("4") }), 403);
  assert.equal((await ok(kurso.coursesSubmitQuiz({ client, path, body: { answers: [] } }))).percent, 0);
  await refused(kurso.coursesCheckAnswer({ client, ...check("4") }), 409);
});

test("a learner hands in work, which is returned and handed in again", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "assignment" } }),
  );
  const { client } = await learnerOf(owner, course_id);
  const path = { page_id };
  const question = (await ok(kurso.coursesEnrolledPage({ client, path }))).quiz?.questions[0];
  assert.ok(question?.type === "hand_in");
  assert.deepEqual([question.takes_text, question.max_files, question.max_links], [true, 5, 0]);
  assert.deepEqual(await ok(kurso.coursesAnswerDraft({ client, path })), { draft: null });
  const body = { version: 0, content: text("So far"), links: [] };
  const { draft } = await ok(kurso.coursesSaveAnswerDraft({ client, path, body }));
  assert.deepEqual([draft?.version, draft?.answer.question_id], [1, question.id]);
  const stale = await refused(
    kurso.coursesSaveAnswerDraft({ client, path, body: { version: 0, content: "Else" } }),
    409,
  );
  assert.equal("stored" in stale && stale.stored?.draft?.version, 1);
  await refused(kurso.coursesAnswerDraft({ client: owner, path }), 403);
  const answers = [{ question_id: question.id, content: text("Finished"), file_ids: [], links: [] }];
  const first = await ok(kurso.coursesSubmitQuiz({ client, path, body: { answers } }));
  assert.deepEqual(await ok(kurso.coursesAnswerDraft({ client, path })), { draft: null });
  const answer = { attempt_id: first.attempt_id, question_id: question.id };
  const back = { version: 0, is_returned: true, comment: "Why?" };
  const returned = await ok(kurso.coursesAssessAnswer({ client: owner, path: answer, body: back }));
  assert.deepEqual([returned.is_returned, returned.points, returned.links], [true, null, []]);
  const second = await ok(kurso.coursesSubmitQuiz({ client, path, body: { answers } }));
  const graded = { attempt_id: second.attempt_id, question_id: question.id };
  await ok(
    kurso.coursesAssessAnswer({
      client: owner,
      path: graded,
      body: { version: 0, points: 9, comment: "Good" },
    }),
  );
  const { attempts } = await ok(kurso.coursesEnrolledPage({ client, path }));
  assert.deepEqual(
    attempts.map((attempt) => [attempt.is_returned, attempt.percent]),
    [
      [true, 0],
      [false, 90],
    ],
  );
});

test("a learner takes a quiz and its owner sees the results", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const sum = { type: "numeric" as const, prompt: text("2 + 2?"), value: 4 };
  const quiz = { max_attempts: 1, questions: [sum] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client, email, enrollment_id } = await learnerOf(owner, course_id);
  const page = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  const question = page.quiz?.questions[0];
  assert.ok(question?.type === "numeric");
  const body = { answers: [{ question_id: question.id, number: "4,0" }], version: page.version };
  const attempt = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body }));
  assert.deepEqual([attempt.passed, attempt.attempts_left, attempt.results[0]?.correct], [true, 0, true]);
  assert.deepEqual(attempt.results[0]?.correct_answer, { number: "4" });
  const spent = await refused(kurso.coursesSubmitQuiz({ client, path: { page_id }, body }), 409);
  assert.equal(typeof spent.detail, "string");
  const facts = await ok(kurso.coursesDebugProgress({ client, path: { course_id } }));
  assert.deepEqual([facts.percent, facts.pages[1]?.best_percent], [50, 100]);

  const fixed = await ok(kurso.coursesFixProgress({ client: owner, path: { course_id } }));
  assert.deepEqual([fixed.checked, fixed.changed], [1, []]);
  const query = { search: email, sort: "-percent" };
  const students = await ok(kurso.coursesCourseStudents({ client: owner, path: { course_id }, query }));
  assert.equal(students.data[0]?.enrollment_id, enrollment_id);
  const heat = await ok(kurso.coursesCourseHeatMap({ client: owner, path: { course_id } }));
  assert.equal(heat.modules[0]?.lessons[0]?.pages[1]?.quiz?.passed_percent, 100);
  const analysis = await ok(kurso.coursesQuizAnalysis({ client: owner, path: { page_id } }));
  assert.deepEqual([analysis.attempts, analysis.questions[0]?.facility], [1, 1]);
  assert.deepEqual(analysis.flags, ["few_attempts"]);
  await refused(kurso.coursesQuizAnalysis({ client, path: { page_id } }), 403);
  const student = await ok(kurso.coursesStudentDetailedProgress({ client: owner, path: { enrollment_id } }));
  assert.equal(student.modules[0]?.lessons[0]?.pages[1]?.attempts[0]?.percent, 100);
  await groupsOf(owner, client, course_id, enrollment_id, email);
  const learnersQuiz = { client: owner, path: { enrollment_id, page_id } };
  await ok(kurso.coursesGrantAttempt(learnersQuiz));
  await refused(kurso.coursesGrantAttempt(learnersQuiz), 409);
  await ok(kurso.coursesTakeBackAttempt(learnersQuiz));
  await refused(kurso.coursesTakeBackAttempt(learnersQuiz), 409);
  await ok(kurso.coursesResetAttempts(learnersQuiz));
  const read = await ok(kurso.coursesReadQuestions({ client: owner, body: { text: "2 + 2 {=4}" } }));
  assert.deepEqual([read.questions.length, read.report], [1, []]);
  await refused(kurso.coursesReadQuestions({ client: owner, body: { text: "" } }), 422);
  const tried = await ok(kurso.coursesTryQuiz({ client: owner, path: { page_id }, body }));
  assert.deepEqual([tried.passed, tried.attempts_left], [true, 0]);
  await ok(kurso.coursesRemoveStudent({ client: owner, path: { enrollment_id } }));
  await refused(kurso.coursesDebugProgress({ client, path: { course_id } }), 404);
});

/** Every operation on groups, with one learner. */
async function groupsOf(
  owner: Client,
  learner: Client,
  course_id: string,
  enrollment_id: string,
  email: string,
) {
  const path = { course_id };
  const boats = await ok(kurso.coursesCreateGroup({ client: owner, path, body: { title: "Boats" } }));
  const group = { client: owner, path: { group_id: boats.id } };
  await ok(kurso.coursesUpdateGroup({ ...group, body: { title: "Rafts", position: 0 } }));
  const { share_code } = await ok(kurso.coursesGenerateGroupCode(group));
  assert.ok(share_code);
  const joined = await ok(kurso.coursesEnroll({ client: learner, body: { share_code } }));
  assert.equal(joined.group_title, "Rafts");
  const groups = await ok(kurso.coursesGroups({ client: owner, path }));
  assert.deepEqual([groups.count, groups.data[0]?.students], [1, 1]);
  const move = (group_id: string | null) =>
    kurso.coursesMoveStudents({ client: owner, path, body: { enrollment_ids: [enrollment_id], group_id } });
  assert.deepEqual((await ok(move(null))).moved, [enrollment_id]);
  await refused(move(nowhere), 422);
  const emails = `${email}, nobody@example.com`;
  const body = { emails, group_id: boats.id };
  const moved = await ok(kurso.coursesMoveStudentsByEmail({ client: owner, path, body }));
  assert.deepEqual([moved.moved, moved.not_found], [[email], ["nobody@example.com"]]);
  const query = { group_id: boats.id };
  const students = await ok(kurso.coursesCourseStudents({ client: owner, path, query }));
  assert.equal(students.data[0]?.group?.title, "Rafts");
  const without = await ok(kurso.coursesCourseHeatMap({ client: owner, path, query: { group_id: "none" } }));
  assert.equal(without.students, 0);
  assert.equal((await ok(kurso.coursesRemoveGroupCode(group))).share_code, null);
  await refused(kurso.coursesGroups({ client: learner, path }), 403);
  const longer = { enrollment_id, available_until: null, time_factor: 1.5 };
  const set = await ok(kurso.coursesSetOverride({ client: owner, path, body: longer }));
  assert.deepEqual([set.time_factor, set.lifted, set.email], [1.5, ["available_until"], email]);
  await refused(
    kurso.coursesSetOverride({ client: owner, path, body: { group_id: nowhere, due_at: null } }),
    422,
  );
  const overrides = await ok(kurso.coursesOverrides({ client: owner, path, query: { enrollment_id } }));
  assert.deepEqual([overrides.count, overrides.data[0]?.id], [1, set.id]);
  await refused(kurso.coursesOverrides({ client: learner, path }), 403);
  const start = { starts_at: "2001-09-01T10:00:00Z", expected_dates: { starts_at: null } };
  const dates = { dates: [start, { override_id: set.id }], shift_days: 7 };
  const shifted = await ok(kurso.coursesSetDates({ client: owner, path, body: dates }));
  assert.deepEqual([shifted.dates.length, shifted.dates[0]?.starts_at], [2, "2001-09-08T10:00:00Z"]);
  await refused(kurso.coursesSetDates({ client: owner, path, body: dates }), 409);
  await refused(
    kurso.coursesSetDates({ client: owner, path, body: { dates: [{ due_at: "2001-09-01" }] } }),
    422,
  );
  await refused(kurso.coursesSetDates({ client: learner, path, body: dates }), 403);
  const many = { enrollment_id, overrides: [{ available_until: null, time_factor: 1.5 }] };
  assert.equal(
    (await ok(kurso.coursesSetOverrides({ client: owner, path, body: many }))).overrides.length,
    1,
  );
  await refused(kurso.coursesSetOverrides({ client: learner, path, body: many }), 403);
  const stale = { enrollment_id, overrides: [{ expected: null }] };
  await refused(kurso.coursesSetOverrides({ client: owner, path, body: stale }), 409);
  const times = await ok(kurso.coursesOverrideTimes({ client: owner, path, query: { enrollment_id } }));
  assert.deepEqual(times.earlier_ends, []);
  await refused(kurso.coursesOverrideTimes({ client: learner, path }), 403);
  await refused(kurso.coursesSetOverride({ client: owner, path, body: { ...longer, expected: null } }), 409);
  const expected = { available_until: null, time_factor: 1.5 };
  await ok(kurso.coursesSetOverride({ client: owner, path, body: { ...longer, expected } }));
  const one = { client: owner, path: { override_id: set.id } };
  await refused(kurso.coursesDeleteOverride({ ...one, query: { expected: "{}" } }), 409);
  await ok(kurso.coursesDeleteOverride({ ...one, query: { expected: JSON.stringify(expected) } }));
  await ok(kurso.coursesDeleteGroup(group));
  await grades(owner, learner, course_id, enrollment_id);
}

/** The gradebook of a course with one learner. */
async function grades(owner: Client, learner: Client, course_id: string, enrollment_id: string) {
  const path = { course_id };
  const made = await ok(
    kurso.coursesCreateGradeCategory({ client: owner, path, body: { title: "Tests", weight: "62.5" } }),
  );
  const category_id = made.categories[0]?.id ?? nowhere;
  assert.equal(made.categories[0]?.weight, "62.5");
  await refused(
    kurso.coursesCreateGradeCategory({ client: owner, path, body: { title: "Tests", weight: "100.5" } }),
    422,
  );
  const renamed = { client: owner, path: { category_id }, body: { drop_lowest: 1 } };
  assert.equal((await ok(kurso.coursesUpdateGradeCategory(renamed))).categories[0]?.drop_lowest, 1);
  const body = { scheme: "five_point" as const, thresholds: ["90", "75", "60"] };
  const settings = await ok(kurso.coursesUpdateGradeSettings({ client: owner, path, body }));
  assert.deepEqual(settings.labels, ["5", "4", "3", "2"]);
  const set = { page_ids: settings.items.map((item) => item.page_id), category_id, points: "12.5" };
  const { items } = await ok(kurso.coursesSetGradeItems({ client: owner, path, body: set }));
  assert.equal(items[0]?.points, "12.5");
  const book = await ok(kurso.coursesGradebook({ client: owner, path, query: { sort: "-total" } }));
  assert.deepEqual([book.count, book.data[0]?.enrollment_id], [1, enrollment_id]);
  assert.equal((await ok(kurso.coursesGradeSettings({ client: owner, path }))).scheme, "five_point");
  const of = { client: owner, path: { enrollment_id } };
  const decision = { page_id: null, version: 0, kind: "override" as const, points: "75", reason: "Effort" };
  const decided = await ok(kurso.coursesDecideGrade({ ...of, body: decision }));
  assert.deepEqual([decided.row.total.label, decided.history[0]?.points], ["4", "75"]);
  await refused(kurso.coursesDecideGrade({ ...of, body: decision }), 409);
  assert.equal((await ok(kurso.coursesGrade(of))).history.length, 1);
  const own = await ok(kurso.coursesMyGrades({ client: learner, path }));
  assert.deepEqual([own.total.percent, own.reason], ["75", "Effort"]);
  await refused(kurso.coursesGradebook({ client: learner, path }), 403);
  const table = { table: "Email\nnobody@example.com\n", reason: "A list" };
  const preview = await ok(kurso.coursesImportGrades({ client: owner, path, body: table }));
  assert.deepEqual([preview.changes, preview.refusals[0]?.line], [[], 2]);
  const outdated = { ...table, digest: "outdated" };
  await refused(kurso.coursesImportGrades({ client: owner, path, body: outdated }), 409);
  await ok(kurso.coursesDeleteGradeCategory({ client: owner, path: { category_id } }));
}

test("question banks", async () => {
  const [owner, colleague] = [await person(), await person()];
  const client = owner.client;
  const { id: bank_id } = await ok(kurso.banksCreateBank({ client, body: { title: "Algebra" } }));
  const path = { bank_id };
  await ok(kurso.banksUpdateBank({ client, path, body: { title: "Geometry" } }));
  assert.equal((await ok(kurso.banksMyBanks({ client }))).data[0]?.title, "Geometry");
  const sum = (value: number) => ({ type: "numeric" as const, prompt: text("2 + 2?"), value });
  const questions = [{ question: sum(4), tags: ["sums"] }];
  const added = await ok(kurso.banksAddQuestions({ client, path, body: { questions } }));
  const question_id = added.questions[0]?.id ?? nowhere;
  assert.equal(added.bank.tags[0]?.drawable, 1);
  const one = { client, path: { question_id } };
  const changed = await ok(kurso.banksUpdateQuestion({ ...one, body: { version: 1, question: sum(5) } }));
  assert.equal(changed.question.type === "numeric" && changed.question.value, 5);
  const stale = await refused(kurso.banksUpdateQuestion({ ...one, body: { version: 1, tags: [] } }), 409);
  assert.equal("question" in stale && stale.question.version, 2);
  assert.equal((await ok(kurso.banksQuestionVersions(one))).count, 1);
  const query = { search: "2", tag: ["sums"], kind: "numeric" };
  assert.equal((await ok(kurso.banksQuestions({ client, path, query }))).drawable, 1);
  assert.equal((await ok(kurso.banksQuestionsById({ client, query: { id: [question_id] } }))).data.length, 1);
  const tags = { question_ids: [question_id], add: ["easy"], remove: ["sums"] };
  assert.equal((await ok(kurso.banksTagQuestions({ client, path, body: tags }))).tags[0]?.name, "easy");
  const file = new File(["3 + 3 {#6}"], "sums.gift");
  assert.equal((await ok(kurso.banksImportQuestions({ client, path, body: { file } }))).count, 1);
  const shared = { email: colleague.email, role: "viewer" as const };
  const { members } = await ok(kurso.banksShare({ client, path, body: shared }));
  const user_id = members[0]?.user_id ?? nowhere;
  assert.equal((await ok(kurso.banksGetBank({ client: colleague.client, path }))).role, "viewer");
  await refused(kurso.banksDeleteBank({ client: colleague.client, path }), 403);
  await ok(kurso.banksUnshare({ client: colleague.client, path: { bank_id, user_id } }));
  await refused(kurso.banksGetBank({ client: colleague.client, path }), 404);
  const left = await ok(kurso.banksDeleteQuestions({ client, path, body: { question_ids: [question_id] } }));
  assert.equal(left.questions_count, 1);
  await ok(kurso.banksDeleteBank({ client, path }));
});
