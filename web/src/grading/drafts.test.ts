import { afterEach, expect, test, vi } from "vitest";
import { type Assessing, dropDraft, keepDraft, readDraft } from "./drafts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
});

const answer = { attemptId: "a", questionId: "q" };
const values: Assessing = {
  points: "2",
  comment: "Хорошо",
  choices: [{ criterionId: "c", levelId: null, comment: "Мало" }],
  pins: [{ start: 0, end: 4, fileId: null, x: null, y: null, comment: "Где?" }],
};

test("a draft is kept per grader and answer until it is dropped", () => {
  keepDraft("anna", answer, { version: 3, values });
  expect(readDraft("anna", answer)).toEqual({ version: 3, values });
  expect(readDraft("petr", answer)).toBeNull();
  expect(readDraft("anna", { ...answer, questionId: "other" })).toBeNull();
  dropDraft("anna", answer);
  expect(readDraft("anna", answer)).toBeNull();
});

test("the number of drafts is limited; the oldest ones are deleted", () => {
  vi.useFakeTimers();
  for (let at = 0; at < 60; at += 1) {
    vi.setSystemTime(at);
    keepDraft("anna", { ...answer, attemptId: `a${at}` }, { version: 0, values });
  }
  expect(Object.keys(localStorage)).toHaveLength(50);
  expect(readDraft("anna", { ...answer, attemptId: "a9" })).toBeNull();
  expect(readDraft("anna", { ...answer, attemptId: "a59" })).not.toBeNull();
});

test.each(["", "null", "{", "[]", '{"version":1}', '{"version":"1","values":{}}'])(
  "a stored text that cannot be read is no draft: %j",
  (text) => {
    localStorage.setItem("grading-draft:anna:a:q", text);
    expect(readDraft("anna", answer)).toBeNull();
  },
);

test("parts that cannot be read are left out of a draft", () => {
  const stored = { points: 2, choices: [null, { criterionId: 1 }], pins: [{ start: "0", comment: "!" }, 3] };
  localStorage.setItem("grading-draft:anna:a:q", JSON.stringify({ version: 1, values: stored }));
  expect(readDraft("anna", answer)?.values).toEqual({
    points: "",
    comment: "",
    choices: [],
    pins: [{ start: null, end: null, fileId: null, x: null, y: null, comment: "!" }],
  });
});

test("a device without storage keeps nothing and fails nowhere", () => {
  const refuse = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse, clear: () => {} });
  keepDraft("anna", answer, { version: 0, values });
  expect(readDraft("anna", answer)).toBeNull();
  dropDraft("anna", answer);
});
