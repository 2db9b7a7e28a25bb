import { beforeAll, expect, test } from "vitest";
import { i18n, loadTexts } from "../i18n";
import { startI18n } from "../testing/startI18n";
import {
  compared,
  countText,
  hasChanges,
  hasDraft,
  isComparable,
  keptUntil,
  nameProblem,
  type Part,
  pagesIn,
  pagesOf,
  type Snapshot,
  shownPage,
  sidesOf,
  snapshotName,
  textsOf,
} from "./snapshot";

beforeAll(async () => {
  await startI18n();
  await loadTexts("outline", "snapshots");
});

const t = i18n.t.bind(i18n);
const plain = (text: string) => text.replaceAll("\u00a0", " ");

const aSnapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  id: "s1",
  courseId: "c1",
  name: null,
  reason: "BEFORE_IMPORT",
  takenAt: "2026-11-20T10:00:00Z",
  takenBy: null,
  expiresAt: "2026-12-20T10:00:00Z",
  pageCount: 3,
  ...more,
});

const aPart = (more: Partial<Part> = {}): Part => ({
  part: "PAGE",
  id: "p1",
  title: "Циклы",
  path: [],
  number: 1,
  fields: [],
  ...more,
});

test("a snapshot is called by its name, else by what it was taken before", () => {
  expect(plain(snapshotName(aSnapshot(), t))).toBe("Перед импортом");
  expect(snapshotName(aSnapshot({ name: "До правок" }), t)).toBe("До правок");
});

test("a name has 1 to 120 characters without the spaces around it", () => {
  expect(nameProblem("  ")).toBe("snapshots.nameRequired");
  expect(nameProblem(` ${"я".repeat(120)} `)).toBeNull();
  expect(nameProblem("😀".repeat(120))).toBeNull();
  expect(nameProblem("я".repeat(121))).toBe("snapshots.nameTooLong");
});

test("only an automatic snapshot has a day until which it is kept", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  expect(keptUntil(aSnapshot(), now, "ru")).toBe("20 декабря");
  expect(keptUntil(aSnapshot({ expiresAt: "2027-01-02T10:00:00Z" }), now, "ru")).toContain("2027");
  expect(keptUntil(aSnapshot({ expiresAt: null }), now, "ru")).toBeNull();
});

const page = (id: string, title: string | null) =>
  ({ id, title, kind: "CONTENT", published: true, hasDraft: false }) as const;
const outline = [
  {
    id: "m1",
    title: "Начало",
    lessons: [{ id: "l1", title: "Шаги", pages: [page("p1", "Раз"), page("p2", null)] }],
  },
  { id: "m2", title: "Конец", lessons: [{ id: "l2", title: "Итог", pages: [page("p3", "Три")] }] },
];

test("the pages of a snapshot follow its contents, numbered within their lessons", () => {
  const pages = pagesOf(outline);
  expect(pages.map(({ id, number }) => `${id} ${number}`)).toEqual(["p1 1", "p2 2", "p3 1"]);
  expect(pages[2]).toMatchObject({ module: "Конец", lesson: "Итог" });
});

test("the first page is shown unless the address names another one of the snapshot", () => {
  const pages = pagesOf(outline);
  expect(shownPage(pages, "p3")?.id).toBe("p3");
  expect(shownPage(pages, undefined)?.id).toBe("p1");
  expect(shownPage(pages, "gone")?.id).toBe("p1");
  expect(shownPage([], "p1")).toBeUndefined();
});

test("two snapshots are compared in the order in which they were taken", () => {
  const early = aSnapshot({ id: "early", takenAt: "2026-11-01T10:00:00Z" });
  const late = aSnapshot({ id: "late", takenAt: "2026-11-10T10:00:00Z" });
  expect(sidesOf(late, early)).toEqual({ from: early, to: late });
  expect(sidesOf(early, late)).toEqual({ from: early, to: late });
});

test("changes are described as restoring the snapshot would make them", () => {
  const snapshot = aSnapshot();
  expect(sidesOf(snapshot, null)).toEqual({ from: null, to: snapshot });
});

const noChanges = {
  course: [],
  added: [],
  removed: [],
  changed: [],
  moved: [],
  learnersAffected: 0,
  digest: "d",
};

test.each(["added", "removed", "changed", "moved"])("a part that is %s is a change", (group) => {
  expect(hasChanges(noChanges)).toBe(false);
  expect(hasChanges({ ...noChanges, [group]: [aPart()] })).toBe(true);
});

test("a changed setting is a change", () => {
  expect(hasChanges({ ...noChanges, course: ["TITLE"] })).toBe(true);
});

test("parts are counted by their kinds, without those of which there is none", () => {
  const parts = [aPart(), aPart({ part: "MODULE", id: "m1" }), aPart({ id: "p2" })];
  expect(plain(countText(parts, t))).toBe("1 модуль, 2 страницы");
  expect(countText([], t)).toBe("");
});

test("only pages with other texts are compared", () => {
  expect(isComparable(aPart({ fields: ["DATES", "DRAFT"] }))).toBe(true);
  expect(isComparable(aPart({ fields: ["DATES", "PUBLISHED"] }))).toBe(false);
  expect(isComparable(aPart({ part: "LESSON", fields: ["TITLE"] }))).toBe(false);
});

test("pages of the course are found by their ids, with their numbers", () => {
  expect(pagesIn({ modules: outline }, ["p2", "p3", "gone"])).toEqual([
    { id: "p2", title: null, number: 2 },
    { id: "p3", title: "Три", number: 1 },
  ]);
});

test("a page is compared with its unpublished changes, or as learners see it", () => {
  const stored = { title: "Было", content: "a", authorQuiz: null };
  const plainTexts = textsOf(stored, null);
  const withDraft = textsOf(stored, { ...stored, title: "Стало" });
  expect(compared(plainTexts, true).title).toBe("Было");
  expect(compared(withDraft, true).title).toBe("Стало");
  expect(compared(withDraft, false).title).toBe("Было");
  expect(hasDraft(plainTexts, withDraft)).toBe(true);
  expect(hasDraft(plainTexts, plainTexts)).toBe(false);
});
