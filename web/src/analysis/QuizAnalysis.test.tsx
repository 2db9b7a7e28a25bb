import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { i18n } from "../i18n";
import type { Course } from "../outline/EditCourse";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { type Analysis, decimal, percent, type Question, rangeOf, sorted } from "./analysis";
import QuizAnalysis from "./QuizAnalysis";

afterEach(cleanup);

const question = (number: number, more: Partial<Question> = {}): Question => ({
  questionId: `q${number}`,
  number,
  prompt: `Вопрос о ${number}`,
  maxPoints: 1,
  asked: 20,
  unanswered: 1,
  facility: 0.5,
  chance: 0.25,
  deviation: 0.5,
  discrimination: 0.4,
  efficiency: 0.6,
  medianSeconds: null,
  timedCount: 0,
  flags: [],
  options: [],
  parts: [],
  wrongAnswers: [],
  ...more,
});

const wrongKey = question(2, {
  prompt: "",
  facility: 0.3,
  discrimination: -0.257,
  efficiency: -0.4,
  flags: ["NEGATIVE_DISCRIMINATION", "UNUSED_OPTION"],
  options: [
    { optionId: "a", text: "Да", isCorrect: true, taken: 5 },
    { optionId: "b", text: "", isCorrect: false, taken: 0 },
  ],
});

const analysis: Analysis = {
  tried: 23,
  attempts: 20,
  waiting: 2,
  outdated: 1,
  maxPoints: 3,
  mean: 1.5,
  deviation: 0.75,
  alpha: 0.62,
  standardError: 0.46,
  histogram: [0, 0, 0, 4, 0, 0, 12, 0, 0, 4],
  flags: ["LOW_ALPHA"],
  questions: [
    question(1, { medianSeconds: 80, timedCount: 12 }),
    wrongKey,
    question(3, {
      facility: null,
      discrimination: null,
      efficiency: null,
      chance: null,
      wrongAnswers: [{ text: "карго", times: 7 }],
    }),
  ],
};

const course = (myRole: string) =>
  ({
    id: "c",
    myRole,
    modules: [{ lessons: [{ pages: [{ id: "p", title: "Экзамен", kind: "QUIZ" }] }] }],
  }) as unknown as Course;

async function show(data: Analysis, { role = "OWNER", group }: { role?: string; group?: string } = {}) {
  const asked: object[] = [];
  const link = new ApolloLink(({ variables }) => {
    asked.push(variables);
    return new Observable((observer) => {
      observer.next({ data: { quizAnalysis: data } });
      observer.complete();
    });
  });
  await renderInRouter(
    <ApolloProvider client={new ApolloClient({ link, cache: createCache(), dataMasking: true })}>
      <QuizAnalysis course={course(role)} pageId="p" group={group} />
    </ApolloProvider>,
  );
  await screen.findByRole("heading", { name: "Анализ теста «Экзамен»" });
  return asked;
}

/** The texts of elements with simple spaces, without soft hyphens. */
const texts = (elements: HTMLElement[]) =>
  elements.map((one) => (one.textContent ?? "").replaceAll("\u00a0", " ").replaceAll("\u00ad", "").trim());

const rows = () => screen.getAllByRole("row").filter((row) => within(row).queryByRole("rowheader"));
const order = () => rows().flatMap((row) => texts(within(row).queryAllByRole("link")));

describe("the analysis of a quiz", () => {
  test("shows the figures of the quiz, what they leave out, and what looks wrong", async () => {
    expect(await show(analysis, { group: "g" })).toEqual([{ pageId: "p", groupId: "g" }]);
    const figures = await screen.findByLabelText("Показатели теста");
    const values = within(figures)
      .getAllByRole("definition")
      .filter((_, index) => index % 2 === 0);
    expect(texts(values)).toEqual(["20", "1,5 из 3", "0,75", "0,62", "0,46"]);
    const notes = texts(within(screen.getAllByRole("list")[0] as HTMLElement).getAllByRole("listitem"));
    expect(notes[0]).toMatch(/^Результаты во многом зависят от случая/);
    expect(notes.slice(1)).toEqual([
      "Не учтены 2 попытки: ответы ждут проверки.",
      "Не учтена 1 попытка: с тех пор состав теста изменился.",
    ]);
    const key = screen.getByText("Проверьте ключ: сильные отвечают хуже слабых");
    expect(key.closest("tr")?.textContent).toContain("Вопрос 2");
  });

  test("describes the histogram in words and as a table", async () => {
    await show(analysis);
    const picture = await screen.findByRole("img", { name: /Самый частый результат: 60–69\s%/ });
    expect(picture.querySelectorAll("rect")).toHaveLength(10);
    await userEvent.click(screen.getByText("Показать числами"));
    const table = screen.getAllByRole("table")[0] as HTMLElement;
    const filled = texts(within(table).getAllByRole("row")).filter((row) => !row.endsWith("0"));
    expect(filled).toEqual(["Доля баллов" + "Попытки", "30–39 %4", "60–69 %12", "90–100 %4"]);
  });

  test("plots the measured questions as links to them", async () => {
    await show(analysis);
    const points = within(await screen.findByLabelText("Вопросы по лёгкости и дискриминации"));
    expect(
      points.getAllByRole("link").map((link) => link.getAttribute("aria-label")?.replaceAll("\u00a0", " ")),
    ).toEqual([
      "Вопрос 1: лёгкость 50 %, дискриминация 0,4",
      "Вопрос 2: лёгкость 30 %, дискриминация −0,26. Требует внимания",
    ]);
    expect(points.getAllByRole("link")[1]?.getAttribute("href")).toBe("/edit-page/p#question-2");
  });

  test("tells the drawn questions apart, which have the number of their draw", async () => {
    const drawn = ["a", "b"].map((id) => question(4, { questionId: id, prompt: `Из банка ${id}`, asked: 3 }));
    await show({ ...analysis, questions: [question(1), ...drawn] });
    expect(await screen.findAllByText(/^Случайный вопрос из.банка: достался в.3.попытках$/)).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Ответы на вопрос 4: Из банка b" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Ответы на вопрос 1" })).toBeTruthy();
    const points = within(screen.getByLabelText("Вопросы по лёгкости и дискриминации")).getAllByRole("link");
    expect(points.map((link) => link.getAttribute("href"))).toEqual([
      "/edit-page/p#question-1",
      "/edit-page/p#question-4",
      "/edit-page/p#question-4",
    ]);
    expect(points[2]?.getAttribute("aria-label")).toMatch(/^Из банка b\. Вопрос 4/);
  });

  test("leads those who may not edit to the page", async () => {
    await show(analysis, { role: "TEACHER" });
    const points = within(await screen.findByLabelText("Вопросы по лёгкости и дискриминации"));
    expect(points.getAllByRole("link")[0]?.getAttribute("href")).toBe("/view-page/p");
  });

  test("sorts the questions by a figure; those without it come last", async () => {
    await show(analysis);
    await screen.findByRole("heading", { name: "Вопросы" });
    const names = ["1. Вопрос о 1", "2. Вопрос 2", "3. Вопрос о 3"] as const;
    expect(order()).toEqual(names);
    const heading = screen.getByRole("button", { name: "Лёгкость" });
    await userEvent.click(heading);
    expect(order()).toEqual([names[1], names[0], names[2]]);
    expect(heading.closest("th")?.getAttribute("aria-sort")).toBe("ascending");
    await userEvent.click(heading);
    expect(order()).toEqual([names[0], names[1], names[2]]);
    expect(heading.closest("th")?.getAttribute("aria-sort")).toBe("descending");
  });

  test("shows the answers to a question on demand", async () => {
    await show(analysis);
    const toggle = await screen.findByRole("button", { name: "Ответы на вопрос 2" });
    expect(toggle.getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByText("Выбранные варианты")).toBeNull();
    toggle.focus();
    await userEvent.keyboard("{Enter}");
    expect(toggle.getAttribute("aria-expanded")).toBe("true");
    const shown = document.getElementById(toggle.getAttribute("aria-controls") ?? "") as HTMLElement;
    expect(texts(within(shown).getAllByRole("listitem"))).toEqual(["Да верный5 (25 %)", "Вариант 20 (0 %)"]);
    await userEvent.click(screen.getByRole("button", { name: "Ответы на вопрос 3" }));
    expect(screen.getByText("Частые неверные ответы").nextElementSibling?.textContent).toMatch(/^карго7/);
  });

  test("shows the median time of each question, and a dash where it is unknown", async () => {
    await show(analysis);
    await screen.findByRole("heading", { name: "Вопросы" });
    const times = rows()
      .filter((row) => within(row).queryByRole("link"))
      .map((row) => texts(within(row).getAllByRole("cell")).at(-1));
    expect(times).toEqual(["1 мин 20 с", "—", "—"]);
    await userEvent.click(screen.getByRole("button", { name: "Ответы на вопрос 1" }));
    expect(screen.getByText(/^1\sмин 20\sс, по 12\sпопыткам$/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Время (медиана)" }));
    expect(order()[0]).toBe("1. Вопрос о 1");
  });

  test("says that nobody has taken the quiz, or nobody of the group", async () => {
    await show({ ...analysis, tried: 0, attempts: 0 });
    expect(await screen.findByRole("heading", { name: "Тест ещё никто не проходил" })).toBeTruthy();
    cleanup();
    await show({ ...analysis, tried: 0, attempts: 0 }, { group: "g" });
    expect(await screen.findByText("В этой группе тест ещё никто не проходил.")).toBeTruthy();
  });
});

describe("figures", () => {
  test("are rounded, with a minus sign and without a negative zero", async () => {
    if (!i18n.isInitialized) await startI18n();
    const t = i18n.getFixedT("ru");
    expect([0.125, -0.5, -0.001, null].map((value) => decimal(value, t))).toEqual(["0,13", "−0,5", "0", "—"]);
    const percents = [0.625, -0.5, -0.001, null].map((share) => percent(share, t).replace("\u00a0", " "));
    expect(percents).toEqual(["63 %", "−50 %", "0 %", "—"]);
  });

  test("full marks are in the last range", () => {
    expect([rangeOf(0), rangeOf(9)]).toEqual([
      { from: 0, to: 9 },
      { from: 90, to: 100 },
    ]);
  });

  test("equal ones keep the order of the quiz", () => {
    const all = [question(1), question(2, { facility: null }), question(3)];
    const sort = (isDescending: boolean) =>
      sorted(all, { column: "facility", isDescending }).map(({ number }) => number);
    expect([sort(false), sort(true)]).toEqual([
      [1, 3, 2],
      [1, 3, 2],
    ]);
  });
});
