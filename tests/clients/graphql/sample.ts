// Uses the client of docs/graphql-client.md with the typed documents that run.mjs generates.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ChangeNameDocument,
  CourseTreeDocument,
  EnrollDocument,
  LoginDocument,
  MarkPageVisitedDocument,
  MyCoursesDocument,
} from "../../../target/clients/graphql/operations.js";
import { Kurso, KursoError } from "./client.js";

const { KURSO_URL = "", KURSO_COURSE = "", KURSO_CODE = "" } = process.env;
const password = "correct-horse-battery";
let made = 0;

async function signedIn(): Promise<Kurso> {
  const email = `graphql-${process.pid}-${++made}@example.com`;
  const body = JSON.stringify({ email, password, full_name: "Anna" });
  const headers = { "content-type": "application/json" };
  assert.ok((await fetch(`${KURSO_URL}/api/v1/users/signup`, { method: "POST", headers, body })).ok);
  const { login } = await new Kurso(KURSO_URL).ask(LoginDocument, { email, password });
  return new Kurso(KURSO_URL, login.accessToken);
}

async function refusal(call: Promise<unknown>): Promise<KursoError> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof KursoError, String(error));
  return error;
}

test("a learner enrolls, reads a page and sees the progress", async () => {
  const learner = await signedIn();
  const { enroll } = await learner.ask(EnrollDocument, { shareCode: KURSO_CODE });
  assert.equal(enroll.enrollment?.course.id, KURSO_COURSE);

  const { course } = await learner.ask(CourseTreeDocument, { id: KURSO_COURSE });
  const pages = course.modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  assert.equal(pages.length, course.progress.pagesTotal);
  const first = pages.find(({ kind }) => kind === "CONTENT");
  assert.ok(first);
  assert.equal(first.isVisited, false);

  const { markPageVisited } = await learner.ask(MarkPageVisitedDocument, { pageId: first.id });
  assert.equal(markPageVisited.page.isVisited, true);
  assert.equal(markPageVisited.course.progress.pagesDone, 1);
});

test("a list is read page by page", async () => {
  const learner = await signedIn();
  await learner.ask(EnrollDocument, { shareCode: KURSO_CODE });
  const titles: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { myEnrollments } = await learner.ask(MyCoursesDocument, { after });
    titles.push(...myEnrollments.nodes.map(({ course }) => course.title));
    after = myEnrollments.pageInfo.hasNextPage ? myEnrollments.pageInfo.endCursor : null;
    assert.ok(titles.length <= myEnrollments.totalCount);
  }
  assert.equal(titles.length, 1);
});

test("an unknown share code is data, a failure is an error with a code", async () => {
  const learner = await signedIn();
  const { enroll } = await learner.ask(EnrollDocument, { shareCode: "ZZZZ-ZZZZ" });
  assert.equal(enroll.enrollment, null);
  assert.ok(enroll.error);

  const stranger = await signedIn();
  assert.equal((await refusal(stranger.ask(CourseTreeDocument, { id: KURSO_COURSE }))).code, "NOT_FOUND");
  assert.equal((await refusal(new Kurso(KURSO_URL).ask(MyCoursesDocument, {}))).code, "UNAUTHENTICATED");
  const long = await refusal(stranger.ask(ChangeNameDocument, { fullName: "x".repeat(256) }));
  assert.equal(long.code, "BAD_USER_INPUT");
  assert.deepEqual(
    long.fields.map(({ field, kind }) => [field, kind]),
    [["fullName", "string_too_long"]],
  );
});
