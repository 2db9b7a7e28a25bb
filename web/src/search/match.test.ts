import { expect, test } from "vitest";
import { i18n } from "../i18n";
import { placeOf } from "./foundPlace";
import { type Match, matchAddress, snippetsOf, titleParts, withoutLead } from "./match";

const match = (given: Partial<Match>): Match => ({
  kind: "PAGE",
  courseId: "c",
  courseTitle: "Курс",
  lessonTitle: "Урок",
  pageId: "p",
  title: null,
  number: 2,
  pageKind: "CONTENT",
  published: true,
  inDraft: false,
  myRole: "LEARNER",
  bankId: null,
  bankTitle: null,
  questionId: null,
  fragments: [],
  ...given,
});
const plain = (text: string) => ({ text, matched: false });
const hit = (text: string) => ({ text, matched: true });

test.each([
  [{ myRole: "LEARNER" }, { to: "/view-page/p" }],
  [{ myRole: "TEACHER" }, { to: "/view-page/p" }],
  [{ myRole: "EDITOR" }, { to: "/edit-page/p" }],
  [
    { kind: "BANK_QUESTION", pageId: null, bankId: "b", questionId: "q" },
    { to: "/banks/b", search: { question: "q" } },
  ],
] as const)("a match without a snippet, %j, opens %j", (given, address) =>
  expect(matchAddress(match(given))).toEqual(address),
);

test("a match opens at the place of its first snippet, or of the given one", () => {
  const fragments = [
    { parts: [hit("цикл")], block: 4, questionId: null },
    { parts: [hit("циклы")], block: null, questionId: "q" },
  ];
  const [first, second] = [undefined, fragments[1]].map((snippet) => {
    const { to, hash } = matchAddress(match({ fragments }), snippet);
    return { to, place: placeOf(`#${hash}`) };
  });
  expect(first).toEqual({
    to: "/view-page/p",
    place: { words: ["цикл"], before: "", block: 4, questionId: null },
  });
  expect(second?.place).toEqual({ words: ["циклы"], before: "", block: null, questionId: "q" });
});

test("a title that the server has found is marked as such, and leads to the page", () => {
  const fragments = [{ parts: [plain("Всё о "), hit("циклах")], block: null, questionId: null }];
  const found = match({ title: "Всё о циклах", fragments });
  expect(snippetsOf(found)).toEqual([]);
  expect(titleParts(found, "цикл", i18n.t)).toEqual(fragments[0]?.parts);
  expect(matchAddress(found)).toEqual({ to: "/view-page/p" });
});

test("in other titles the typed words are marked", () => {
  const fragments = [{ parts: [hit("циклы")], block: 4, questionId: null }];
  const parts = titleParts(match({ title: "Циклы", fragments }), "цикл", i18n.t);
  expect(parts.filter(({ matched }) => matched)).toEqual([hit("Цикл")]);
});

test.each([
  [
    [plain("Это "), hit("цикл")],
    [plain("Это "), hit("цикл")],
  ],
  [
    [plain("… очень длинное начало, а потом "), hit("цикл")],
    [plain("… а потом "), hit("цикл")],
  ],
  [
    [hit("цикл"), plain(" и много текста после него")],
    [hit("цикл"), plain(" и много текста после него")],
  ],
  [[], []],
])("%j is shortened before the match", (parts, shorter) => expect(withoutLead(parts, 14)).toEqual(shorter));
