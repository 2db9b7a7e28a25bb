import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { CourseDatesDocument } from "./CourseDates.generated";
import { course } from "./course.fixture";
import { partsOf } from "./parts";
import { DatesConflict, type Edit, setDates } from "./setDates";
import { shiftsOf } from "./shifts";

const parts = partsOf(course);
const module = parts[1]!;
const quiz = parts[4]!;

const typename = (name: string) => ({ __typename: name });
const none = {
  ...typename("PartDates"),
  moduleId: null,
  lessonId: null,
  pageId: null,
  overrideId: null,
  startsAt: null,
  endsAt: null,
  enrollUntil: null,
  availableFrom: null,
  availableUntil: null,
  dueAt: null,
  lateUntil: null,
};

type Answer = Error | { dates: object[] | null; conflict: object | null };

/** A client whose cache has the course, what it sends, and the answer that each request waits for. */
function open() {
  const sent: Record<string, unknown>[] = [];
  const answers: ((answer: Answer) => void)[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        sent.push(variables.input);
        answers.push((answer) => {
          if (answer instanceof Error) return observer.error(answer);
          observer.next({ data: { setDates: { ...typename("SetDatesPayload"), ...answer } } });
          observer.complete();
        });
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const stored = {
    ...typename("Course"),
    ...course,
    modules: course.modules.map((one) => ({
      ...typename("Module"),
      ...one,
      lessons: one.lessons.map((lesson) => ({
        ...typename("Lesson"),
        ...lesson,
        pages: lesson.pages.map((page) => ({ ...typename("Page"), ...page })),
      })),
    })),
  };
  client.cache.writeQuery({ query: CourseDatesDocument, variables: { id: "c" }, data: { course: stored } });
  const shown = (of: string) => {
    const { course } = client.cache.readQuery({ query: CourseDatesDocument, variables: { id: "c" } }, true)!;
    const part = partsOf(course).find(({ id }) => id === of)!;
    return part.item as unknown as Record<string, string | null>;
  };
  return { client, sent, shown, answer: (answer: Answer) => answers.at(-1)?.(answer) };
}

test("a shift names what was read, shows the dates at once, and is put back exactly", async () => {
  const { client, sent, shown, answer } = open();
  const seconds = "2026-10-20T21:59:59.5Z";
  const edits = shiftsOf([{ ...module, item: { ...module.item, dueAt: seconds } } as typeof module, quiz]);
  const shifting = setDates(client, "c", edits, "Europe/Berlin", 7);
  expect(sent[0]).toEqual({
    courseId: "c",
    shiftDays: 7,
    dates: [
      {
        moduleId: "m",
        expectedDates: {
          availableFrom: null,
          availableUntil: null,
          dueAt: seconds,
          timeZone: "Europe/Berlin",
        },
      },
      {
        pageId: "q",
        expectedDates: {
          availableFrom: null,
          availableUntil: null,
          dueAt: null,
          lateUntil: "2026-10-22T10:00:00Z",
          timeZone: "Europe/Berlin",
        },
      },
    ],
  });
  // Over the change of clocks, before the server has answered.
  expect(shown("q").lateUntil).toBe("2026-10-29T11:00:00.000Z");
  answer({
    dates: [
      { ...none, moduleId: "m", dueAt: "2026-10-27T22:59:59.5Z" },
      { ...none, pageId: "q", lateUntil: "2026-10-29T11:00:00Z" },
    ],
    conflict: null,
  });
  const back = await shifting;
  expect([shown("m").dueAt, shown("q").lateUntil]).toEqual([
    "2026-10-27T22:59:59.5Z",
    "2026-10-29T11:00:00Z",
  ]);
  void setDates(client, "c", back, "Europe/Berlin");
  expect(sent[1]).toEqual({
    courseId: "c",
    shiftDays: null,
    dates: [
      { moduleId: "m", dueAt: seconds, expectedDates: { dueAt: "2026-10-27T22:59:59.5Z" } },
      {
        pageId: "q",
        lateUntil: "2026-10-22T10:00:00Z",
        expectedDates: { lateUntil: "2026-10-29T11:00:00Z" },
      },
    ],
  });
});

test("after a conflict the screen shows what is stored, and the error has both dates", async () => {
  const { client, shown, answer } = open();
  const edits: Edit[] = [
    { part: quiz, changes: { dueAt: "2026-10-21" }, read: quiz.item },
    { part: module, changes: { dueAt: "2026-10-28T10:00" }, read: module.item },
  ];
  const setting = setDates(client, "c", edits, "Europe/Berlin");
  expect([shown("q").dueAt, shown("m").dueAt]).toEqual([
    "2026-10-21T21:59:00.000Z",
    "2026-10-28T09:00:00.000Z",
  ]);
  const changed = [{ ...none, moduleId: "m", dueAt: "2026-10-23T10:00:00Z" }];
  answer({
    dates: null,
    conflict: { ...typename("DatesConflict"), message: "Эту дату уже изменил кто-то другой", changed },
  });
  const error = await setting.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DatesConflict);
  expect((error as DatesConflict).differences).toEqual([
    { part: module, field: "dueAt", read: "2026-10-20T21:59:00Z", stored: "2026-10-23T10:00:00Z" },
  ]);
  expect([shown("q").dueAt, shown("m").dueAt]).toEqual([null, "2026-10-23T10:00:00Z"]);
});

test("dates are read again when a part was deleted, and when the zone of a local time has changed", async () => {
  const { client, sent, answer } = open();
  const reload = vi.spyOn(client, "refetchQueries").mockReturnValue(Promise.resolve([]) as never);
  const set = (changes: Edit["changes"]) =>
    setDates(client, "c", [{ part: quiz, changes, read: quiz.item }], "Europe/Berlin").catch(
      (error: unknown) => error,
    );
  const deleted = set({ dueAt: "2026-10-21T10:00:00Z" });
  expect(sent[0]).toMatchObject({ dates: [{ expectedDates: { dueAt: null } }] });
  expect(JSON.stringify(sent[0])).not.toContain("timeZone");
  answer(new CombinedGraphQLErrors({ errors: [{ message: "No", extensions: { code: "BAD_USER_INPUT" } }] }));
  await deleted;
  expect(reload).toHaveBeenCalledTimes(1);
  const zoned = set({ dueAt: "2026-10-21T10:00" });
  expect(sent[1]).toMatchObject({ dates: [{ expectedDates: { dueAt: null, timeZone: "Europe/Berlin" } }] });
  const conflict = { ...typename("DatesConflict"), message: "No", changed: [{ ...none, pageId: "q" }] };
  answer({ dates: null, conflict });
  expect(await zoned).toBeInstanceOf(DatesConflict);
  expect(reload).toHaveBeenCalledTimes(2);
});
