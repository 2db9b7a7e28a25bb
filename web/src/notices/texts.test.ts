import { beforeAll, describe, expect, test } from "vitest";
import { i18n, setLanguage } from "../i18n";
import { startI18n } from "../testing/startI18n";
import type { Notice, Row } from "./grouping";
import { placeOf } from "./places";
import { aNotice, aPerson, aPlace } from "./testing";
import { badgeText, countText, dayOf, factsOf, quotedText, titleOf } from "./texts";

beforeAll(startI18n);

const plain = (text: string) => text.replaceAll("\u00a0", " ");
const now = new Date(2026, 10, 29, 18);
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();
/** A row of this many notices of a kind. */
function aRow(kind: Notice["kind"], count = 1, more: Partial<Notice> = {}): Row {
  const notices = Array.from({ length: count }, (_, index) =>
    aNotice(String(count - index), { kind, happenedAt: at(29, 14, 5), ...more }),
  );
  return { key: "1", notices: notices as unknown as Row["notices"] };
}
const title = (row: Row) => plain(titleOf(row, i18n.t));
const facts = (row: Row, language = "ru") => factsOf(row, now, language, i18n.t).map(plain);

describe("a notice says what happened", () => {
  test.each([
    ["GRADED", "Работа на странице «Циклы» проверена"],
    ["RETURNED", "Работа на странице «Циклы» возвращена на доработку"],
    ["RESULT_CHANGED", "Результат на странице «Циклы» изменился после пересчёта"],
    ["ATTEMPT_GIVEN", "Ещё одна попытка на странице «Циклы»"],
    ["DEADLINE_NEAR", "Скоро срок на странице «Циклы»"],
    ["IMPORTANT_CHANGE", "Важное изменение на странице «Циклы»"],
    ["MENTION", "Вас упомянули в комментарии к странице «Циклы»"],
    ["COMMENT", "Новый ответ в обсуждении страницы «Циклы»"],
    ["INVITED", "Вас пригласили в команду курса"],
    ["IMPORT_DONE", "Импорт закончился"],
    ["COURSE_COMPLETED", "Ученик прошёл курс"],
    ["NUDGE", "Вам напоминают о курсе"],
  ] as const)("%s: %s", (kind, text) => {
    expect(title(aRow(kind))).toBe(text);
  });

  test.each([
    ["GRADED", 2, "Проверены 2 работы на странице «Циклы»"],
    ["GRADED", 5, "Проверено 5 работ на странице «Циклы»"],
    ["GRADED", 21, "Проверена 21 работа на странице «Циклы»"],
    ["RETURNED", 3, "На доработку возвращены 3 работы на странице «Циклы»"],
    ["RETURNED", 6, "На доработку возвращено 6 работ на странице «Циклы»"],
    ["RESULT_CHANGED", 2, "После пересчёта изменились 2 результата на странице «Циклы»"],
    ["RESULT_CHANGED", 7, "После пересчёта изменилось 7 результатов на странице «Циклы»"],
    ["ATTEMPT_GIVEN", 2, "Ещё 2 попытки на странице «Циклы»"],
    ["ATTEMPT_GIVEN", 5, "Ещё 5 попыток на странице «Циклы»"],
    ["DEADLINE_NEAR", 2, "Скоро 2 срока на странице «Циклы»"],
    ["IMPORTANT_CHANGE", 3, "3 важных изменения на странице «Циклы»"],
    ["IMPORTANT_CHANGE", 11, "11 важных изменений на странице «Циклы»"],
    ["IMPORTANT_CHANGE", 21, "21 важное изменение на странице «Циклы»"],
    ["MENTION", 4, "Вас упомянули в 4 комментариях к странице «Циклы»"],
    ["MENTION", 21, "Вас упомянули в 21 комментарии к странице «Циклы»"],
    ["COMMENT", 3, "3 новых ответа на странице «Циклы»"],
    ["COMMENT", 31, "31 новый ответ на странице «Циклы»"],
    ["COURSE_COMPLETED", 2, "Курс прошли 2 ученика"],
    ["COURSE_COMPLETED", 5, "Курс прошли 5 учеников"],
    ["COURSE_COMPLETED", 21, "Курс прошёл 21 ученик"],
  ] as const)("%s, %i times: %s", (kind, count, text) => {
    expect(title(aRow(kind, count))).toBe(text);
  });

  test("an announcement by its title", () => {
    expect(title(aRow("ANNOUNCEMENT", 1, { text: "Занятие перенесено" }))).toBe(
      "Объявление: Занятие перенесено",
    );
  });

  test("a nudge quotes what the teacher wrote, other kinds quote nothing", () => {
    expect(quotedText(aRow("NUDGE", 1, { text: "Продолжим?" }))).toBe("Продолжим?");
    expect(quotedText(aRow("ANNOUNCEMENT", 1, { text: "Занятие перенесено" }))).toBeNull();
  });

  test("of a page without a title", () => {
    const page = aPlace("p1", null);
    expect(title(aRow("COMMENT", 1, { page }))).toBe("Новый ответ в обсуждении страницы без названия");
    expect(title(aRow("MENTION", 2, { page }))).toBe(
      "Вас упомянули в 2 комментариях к странице без названия",
    );
  });

  test("in English", async () => {
    await setLanguage("en");
    expect(title(aRow("COMMENT"))).toBe("New reply in a thread on “Циклы”");
    expect(title(aRow("COMMENT", 3, { page: aPlace("p1", null) }))).toBe("3 new replies on an untitled page");
    expect(title(aRow("COURSE_COMPLETED", 2))).toBe("2 learners have completed the course");
    await setLanguage("ru");
  });
});

describe("below, a notice says", () => {
  const anna = aPerson("u1", "Иванова Анна");

  test("who did it and when", () => {
    expect(facts(aRow("COMMENT", 1, { actor: anna }))).toEqual(["Иванова Анна", "14:05"]);
  });

  test("only when, if the account was deleted", () => {
    expect(facts(aRow("COMMENT"))).toEqual(["14:05"]);
  });

  test("who completed the course", () => {
    expect(facts(aRow("COURSE_COMPLETED", 1, { learner: anna }))).toEqual(["Иванова Анна", "14:05"]);
  });

  test("until when something is due", () => {
    expect(facts(aRow("DEADLINE_NEAR", 1, { closesAt: at(30, 23, 59) }))).toEqual([
      "срок — 30 ноября, 23:59",
    ]);
  });

  test("where the invitation is", () => {
    expect(facts(aRow("INVITED", 1, { actor: anna }))).toEqual([
      "приглашение принимают по ссылке из письма",
      "Иванова Анна",
      "14:05",
    ]);
  });

  test.each([
    [["a"], "A"],
    [["a", "a"], "A"],
    [["a", "b"], "A, B"],
    [["a", "b", "c"], "A, B и ещё 1 человек"],
    [["a", "b", "c", "d"], "A, B и ещё 2 человека"],
    [["a", "b", "c", "d", "e", "f", "g"], "A, B и ещё 5 человек"],
    [["a", "b", "nameless"], "A, B и ещё 1 человек"],
    [["nameless"], "Без имени"],
  ])("who they were, each once: %j", (people, text) => {
    const notices = people.map((id, index) =>
      aNotice(String(index), { actor: aPerson(id, id === "nameless" ? null : id.toUpperCase()) }),
    );
    expect(facts({ key: "0", notices: notices as unknown as Row["notices"] })[0]).toBe(text);
  });
});

test.each([
  [29, "Сегодня"],
  [28, "Вчера"],
  [27, "27 ноября"],
])("the heading of November %i is «%s»", (day, text) => {
  expect(plain(dayOf(at(day, 0), now, "ru", i18n.t))).toBe(text);
});

test("a number of unread notices ends at 99", () => {
  expect([countText(99, i18n.t), countText(100, i18n.t)].map(plain)).toEqual(["99", "больше 99"]);
  expect([badgeText(99, i18n.t), badgeText(100, i18n.t)]).toEqual(["99", "99+"]);
});

test("the name of the bell has the number", () => {
  const name = (count: number) => plain(i18n.t("notices.unread", { count, shown: countText(count, i18n.t) }));
  expect([name(1), name(2), name(21), name(100)]).toEqual([
    "Уведомления, 1 непрочитанное",
    "Уведомления, 2 непрочитанных",
    "Уведомления, 21 непрочитанное",
    "Уведомления, больше 99 непрочитанных",
  ]);
});

describe("a notice leads", () => {
  const page = { to: "/view-page/$pageId", params: { pageId: "p1" } };
  test.each([
    "GRADED",
    "RETURNED",
    "RESULT_CHANGED",
    "ATTEMPT_GIVEN",
    "DEADLINE_NEAR",
    "IMPORTANT_CHANGE",
  ] as const)("%s to the page, or to the course without one", (kind) => {
    expect(placeOf(aRow(kind))).toEqual(page);
    expect(placeOf(aRow(kind, 1, { page: null }))).toEqual({
      to: "/view-course/$courseId",
      params: { courseId: "c1" },
    });
  });

  test.each(["MENTION", "COMMENT"] as const)("%s to the newest comment in the editor", (kind) => {
    expect(placeOf(aRow(kind, 2))).toEqual({
      to: "/edit-page/$pageId",
      params: { pageId: "p1" },
      search: { thread: "s-2" },
    });
  });

  test.each(["ANSWERED", "ASKED", "REPORTED"] as const)("%s to the newest post under its page", (kind) => {
    expect(placeOf(aRow(kind, 2))).toEqual({ ...page, search: { question: "s-2" } });
    expect(placeOf(aRow(kind, 1, { page: null }))).toEqual({
      to: "/view-course/$courseId",
      params: { courseId: "c1" },
    });
  });

  test("COURSE_COMPLETED to the student, or to all students", () => {
    const students = { to: "/edit-course/$courseId", params: { courseId: "c1" } };
    expect(placeOf(aRow("COURSE_COMPLETED"))).toEqual({
      ...students,
      search: { tab: "students", student: "s-1" },
    });
    expect(placeOf(aRow("COURSE_COMPLETED", 2))).toEqual({ ...students, search: { tab: "students" } });
  });

  test("ANNOUNCEMENT to the announcement in its list, NUDGE to the course", () => {
    const params = { courseId: "c1" };
    expect(placeOf(aRow("ANNOUNCEMENT", 1, { page: null }))).toEqual({
      to: "/view-course/$courseId/announcements",
      params,
      search: {},
      hash: "a-s-1",
    });
    expect(placeOf(aRow("NUDGE", 1, { page: null }))).toEqual({ to: "/view-course/$courseId", params });
  });

  test("IMPORT_DONE to the import, INVITED to the courses", () => {
    expect(placeOf(aRow("IMPORT_DONE"))).toEqual({ to: "/import", search: { job: "s-1" } });
    expect(placeOf(aRow("INVITED"))).toEqual({ to: "/" });
  });
});
