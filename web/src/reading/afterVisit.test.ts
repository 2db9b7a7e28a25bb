import { describe, expect, it } from "vitest";
import { afterVisit } from "./afterVisit";
import type { CourseStateFragment } from "./MarkPageVisited.generated";

type Lesson = CourseStateFragment["modules"][number]["lessons"][number];
type Page = Lesson["pages"][number];

const NOW = new Date("2025-06-01T12:00:00Z");

let lastId = 0;
function page(state: "done" | "new" | "quiz" | "passed"): Page {
  lastId += 1;
  return {
    id: `page-${lastId}`,
    title: null,
    number: 1,
    kind: state === "quiz" || state === "passed" ? "QUIZ" : "CONTENT",
    isVisited: state === "done" || state === "passed",
    isCompleted: state === "done" || state === "passed",
    timeline: { state: "OPEN" },
  };
}

/** A course as the server describes it: all derived fields follow from its pages. */
function course(modules: Page[][][], completedAt: string | null = null): CourseStateFragment {
  const lessons = modules.flat();
  const pages = lessons.flat();
  const done = (some: Page[]) => some.filter((one) => one.isCompleted).length;
  const isDone = (lesson: Page[]) => lesson.length > 0 && done(lesson) === lesson.length;
  return {
    id: "course",
    modules: modules.map((some, m) => ({
      id: `module-${m}`,
      lessons: some.map((lesson, l) => ({
        id: `lesson-${m}-${l}`,
        isCompleted: isDone(lesson),
        pages: lesson,
      })),
    })),
    progress: {
      percent: pages.length === 0 ? 0 : Math.floor((100 * done(pages)) / pages.length),
      pagesDone: done(pages),
      pagesTotal: pages.length,
      lessonsDone: lessons.filter(isDone).length,
      lessonsTotal: lessons.filter((lesson) => lesson.length > 0).length,
      completedAt,
    },
    enrollment: { id: "enrollment", completedAt },
  };
}

function visited(page: Page): Page {
  return { ...page, isVisited: true, isCompleted: page.isCompleted || page.kind === "CONTENT" };
}

describe("afterVisit", () => {
  it.each([
    ["one of three pages", ["new", "new", "new"], 0, { percent: 33, pagesDone: 1, lessonsDone: 0 }, false],
    ["the second of three", ["done", "new", "new"], 1, { percent: 66, pagesDone: 2, lessonsDone: 0 }, false],
    ["the last of three", ["done", "done", "new"], 2, { percent: 100, pagesDone: 3, lessonsDone: 1 }, true],
    ["a page read before", ["done", "new"], 0, { percent: 50, pagesDone: 1, lessonsDone: 0 }, false],
    [
      "a quiz, which has to be passed",
      ["done", "quiz"],
      1,
      { percent: 50, pagesDone: 1, lessonsDone: 0 },
      false,
    ],
    ["a passed quiz", ["done", "passed"], 1, { percent: 100, pagesDone: 2, lessonsDone: 1 }, true],
    [
      "the last page beside an open quiz",
      ["new", "quiz"],
      0,
      { percent: 50, pagesDone: 1, lessonsDone: 0 },
      false,
    ],
  ] as const)("%s", (_, states, index, progress, lessonDone) => {
    const pages = states.map(page);
    const outcome = afterVisit(course([[pages]]), pages[index]?.id ?? "", NOW);
    expect(outcome?.progress).toMatchObject(progress);
    expect(outcome?.lesson.isCompleted).toBe(lessonDone);
    expect(outcome?.page.isVisited).toBe(true);
  });

  it("never gives 100 % while a page is not completed", () => {
    const pages = Array.from({ length: 1000 }, (_, index) => page(index < 998 ? "done" : "new"));
    const outcome = afterVisit(course([[pages]]), pages[998]?.id ?? "", NOW);
    expect(outcome?.progress).toMatchObject({ percent: 99, pagesDone: 999, completedAt: null });
  });

  it("sets the course's completion date once", () => {
    const pages = [page("done"), page("new")];
    const open = pages[1]?.id ?? "";
    expect(afterVisit(course([[pages]]), open, NOW)?.progress.completedAt).toBe(NOW.toISOString());
    const earlier = "2025-01-01T00:00:00Z";
    expect(afterVisit(course([[pages]], earlier), open, NOW)?.progress.completedAt).toBe(earlier);
  });

  it("continues at the first page that is not completed after the visited one, then from the start", () => {
    const first = page("new");
    const second = page("quiz");
    const third = page("new");
    const fourth = page("new");
    const tree = course([[[first], []], [[second, third, fourth]]]);
    expect(afterVisit(tree, first.id, NOW)?.nextPage?.id).toBe(second.id);
    expect(afterVisit(tree, third.id, NOW)?.nextPage?.id).toBe(fourth.id);
    expect(afterVisit(tree, fourth.id, NOW)?.nextPage?.id).toBe(first.id);
  });

  it("continues at a locked page or a closed quiz only when nothing else is left", () => {
    const withState = (one: Page, state: "LOCKED" | "CLOSED") => ({ ...one, timeline: { state } });
    const read = page("new");
    const locked = withState(page("new"), "LOCKED");
    const closed = withState(page("quiz"), "CLOSED");
    const last = withState(page("new"), "CLOSED");
    const next = (...pages: Page[]) => afterVisit(course([[pages]]), read.id, NOW)?.nextPage?.id;
    expect(next(read, locked, closed, last)).toBe(last.id);
    expect(next(read, locked, closed)).toBe(locked.id);
    expect(next(read)).toBeUndefined();
  });

  it("returns null for a page of another course", () => {
    expect(afterVisit(course([[[page("new")]]]), "elsewhere", NOW)).toBeNull();
  });

  it("agrees with a full recomputation for any course and order of visits", () => {
    // The pseudorandom generator has a fixed seed.
    let seed = 20250601;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const states = ["done", "new", "quiz", "passed"] as const;
    for (let round = 0; round < 300; round += 1) {
      let modules = Array.from({ length: 1 + random(3) }, () =>
        Array.from({ length: random(4) }, () =>
          Array.from({ length: random(5) }, () => page(states[random(4)] ?? "new")),
        ),
      );
      for (const { id } of modules.flat(2)) {
        const outcome = afterVisit(course(modules), id, NOW);
        modules = modules.map((lessons) =>
          lessons.map((lesson) => lesson.map((one) => (one.id === id ? visited(one) : one))),
        );
        const expected = course(modules);
        expect({ ...outcome?.progress, completedAt: null }).toEqual(expected.progress);
        const lesson = expected.modules
          .flatMap((one) => one.lessons)
          .find((one) => one.id === outcome?.lesson.id);
        expect(outcome?.lesson.isCompleted).toBe(lesson?.isCompleted);
        const pages = modules.flat(2);
        const from = pages.findIndex((one) => one.id === id);
        const order = [...pages.slice(from), ...pages.slice(0, from)];
        expect(outcome?.nextPage?.id).toBe(order.find((one) => !one.isCompleted)?.id);
      }
    }
  });
});
