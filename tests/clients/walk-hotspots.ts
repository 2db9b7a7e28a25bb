// The part of walk.ts about hotspot questions and the time on questions.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as kurso from "../../target/clients/sdk/index.js";
import { course, picture as dot, learnerOf, ok, person, refused, text } from "./client.js";

test("a learner marks places on a picture, and staff read the time", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const file = await ok(kurso.coursesUploadFile({ client: owner, body: { file: dot } }));
  const picture = { type: "doc", content: [{ type: "image", attrs: { src: file.url } }] };
  const zones = [
    { shape: "rectangle" as const, x: 10, y: 10, width: 20.5, height: 20 },
    { shape: "ellipse" as const, x: 70, y: 70, radius_x: 10, radius_y: 5 },
  ];
  const hotspot = { type: "hotspot" as const, prompt: text("Where?"), picture, zones, mark_all: true };
  const quiz = { reveal: "after_submit" as const, questions: [hotspot] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { client, enrollment_id } = await learnerOf(owner, course_id);
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "hotspot");
  assert.equal(question.max_places, 2);
  const places = [
    { x: 50, y: 50 },
    { x: 30.5, y: 30 },
  ];
  const answer = (seconds: number) => [{ question_id: question.id, places, seconds }];
  const path = { page_id };
  await refused(kurso.coursesSubmitQuiz({ client, path, body: { answers: answer(-1) } }), 422);
  const attempt = await ok(kurso.coursesSubmitQuiz({ client, path, body: { answers: answer(12.5) } }));
  const result = attempt.results[0];
  assert.deepEqual([attempt.percent, result?.right_places], [50, [false, true]]);
  const zone = result?.zones?.[0];
  assert.ok(zone?.shape === "rectangle");
  assert.equal(zone.width, 20.5);
  const analysis = await ok(kurso.coursesQuizAnalysis({ client: owner, path }));
  assert.deepEqual([analysis.questions[0]?.median_seconds, analysis.questions[0]?.timed_count], [12.5, 1]);
  const student = await ok(kurso.coursesStudentDetailedProgress({ client: owner, path: { enrollment_id } }));
  const shown = student.modules[0]?.lessons[0]?.pages[1]?.attempts[0]?.results[0];
  assert.deepEqual(shown && "seconds" in shown && shown.seconds, 12.5);
});
