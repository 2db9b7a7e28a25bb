import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeClient } from "../assignment/testing";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { Toaster } from "../ui/Toaster";
import { newDraw } from "./draws";
import { type AuthorQuestion, type AuthorQuiz, type DrawQuestion, defaultQuiz } from "./model";
import { QuizBuilder } from "./QuizBuilder";

const picked = vi.hoisted(() => ({ props: null as Record<string, (value?: unknown) => void> | null }));
vi.mock("../banks/BankPicker", () => ({
  BankPicker: (props: never) => {
    picked.props = props;
    return <p>Выбор из банка</p>;
  },
}));
vi.mock("../banks/QuestionView", () => ({
  QuestionView: ({ question }: { question: { accepted: string[] } }) => (
    <p>{question.accepted.join(" · ")}</p>
  ),
}));

afterEach(cleanup);

const typed = (__typename: string, value: object) => ({ ...value, __typename });
const tag = (name: string, drawable: number) => typed("BankTag", { name, drawable });
const bank = (id: string, title: string, role = "OWNER") =>
  typed("Bank", { id, title, role, tags: [tag("лёгкие", 3), tag("новые", 2)] });

const question: AuthorQuestion = {
  id: "q1",
  type: "short_text",
  prompt: said("Столица Франции?"),
  points: 2,
  explanation: null,
  accepted: ["Париж"],
  case_sensitive: false,
  regex: null,
};
const copied: AuthorQuestion = { ...question, source: { question_id: "bq", version: 1 } };
const draw: DrawQuestion = newDraw({ bankId: "b1", tags: ["лёгкие"], count: 2, points: 0.5 });

let server: {
  banks: object[];
  sources: object[];
  drawable: (input: { tags: string[] }) => number;
  asked: string[];
  saved: { bankId: string; questions: { question: AuthorQuestion; tags: string[] }[] }[];
};
beforeEach(() => {
  server = {
    banks: [bank("b1", "Алгебра"), bank("b2", "Чужой", "VIEWER")],
    sources: [],
    drawable: () => 3,
    asked: [],
    saved: [],
  };
});
const sourceNow = (version: number, over: Partial<AuthorQuestion> = {}) =>
  typed("BankQuestion", { id: "bq", bankId: "b1", version, question: { ...question, id: "bq", ...over } });

const onSave = vi.fn();

/** Renders the builder; returns the questions as they were changed last. */
async function open(...questions: AuthorQuestion[]) {
  const changed = vi.fn();
  const { client } = fakeClient({
    QuizBanks: () => ({ banks: server.banks }),
    QuestionSources: () => {
      server.asked.push("sources");
      return { bankQuestions: server.sources };
    },
    DrawableNow: (variables) => {
      const drawable = server.drawable(variables as { tags: string[] });
      const list = typed("BankQuestionList", { drawable });
      return { bank: typed("Bank", { id: (variables as { bankId: string }).bankId, questions: list }) };
    },
    NewBankForQuestions: ({ input }) => {
      const made = bank("b3", (input as { title: string }).title);
      server.banks = [...server.banks, made];
      return { createBank: typed("BankPayload", { bank: made }) };
    },
    SaveToBank: ({ input }) => {
      const given = input as (typeof server.saved)[number];
      server.saved.push(given);
      const saved = given.questions.map((_, index) =>
        typed("BankQuestion", { id: `new${index}`, version: 1 }),
      );
      const into = server.banks.find((one) => (one as { id: string }).id === given.bankId);
      return { addBankQuestions: typed("AddBankQuestionsPayload", { questions: saved, bank: into }) };
    },
  });
  function Builder() {
    const [quiz, setQuiz] = useState<unknown>({ ...defaultQuiz, questions });
    return (
      <QuizBuilder
        courseId="c"
        pageId="p"
        quiz={quiz}
        wanted={null}
        revision={0}
        onChange={(change) =>
          setQuiz((now: unknown) => {
            const next = typeof change === "function" ? change(now) : change;
            changed(next);
            return next;
          })
        }
        onSave={onSave}
        isSaved
        refusal={null}
        isPreview={false}
      />
    );
  }
  await renderInRouter(
    <ApolloProvider client={client}>
      <Builder />
      <Toaster />
    </ApolloProvider>,
  );
  return () => (changed.mock.lastCall?.[0] as AuthorQuiz | undefined)?.questions ?? [];
}

const plain = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");
const header = (name: RegExp) => screen.findByRole("button", { name, expanded: false });
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));
const choose = async (name: RegExp) => {
  await press("Готовые вопросы");
  fireEvent.click(await screen.findByRole("menuitem", { name }));
};

test("questions are taken from a bank as copies, and a draw is added", async () => {
  const questions = await open(question);
  await choose(/Из банка вопросов/);
  await screen.findByText("Выбор из банка");
  picked.props?.onTake?.([{ bankQuestionId: "bq", version: 4, question: { ...question, id: "bq" } }]);
  await waitFor(() => expect(questions()).toHaveLength(2));
  expect(questions()[1]).toMatchObject({ accepted: ["Париж"], source: { question_id: "bq", version: 4 } });
  expect(questions()[1]?.id).not.toBe("bq");
  expect(screen.queryByText("Выбор из банка")).toBeNull();

  await choose(/Из банка вопросов/);
  await screen.findByText("Выбор из банка");
  picked.props?.onDraw?.({ bankId: "b1", bankTitle: "Алгебра", tags: ["новые"], count: 2, points: 3 });
  await waitFor(() => expect(questions()).toHaveLength(3));
  expect(questions()[2]).toMatchObject({ type: "draw", bank_id: "b1", tags: ["новые"], count: 2, points: 3 });
  expect(await screen.findByText(/2.случайных вопроса из банка «Алгебра»/)).toBeTruthy();
  const facts = screen.getByRole("heading", { name: "Вопросы" }).parentElement?.textContent ?? "";
  expect(plain(facts)).toContain("4 вопроса · 10 баллов");
});

test("a draw shows what it can choose from, and warns when that is not enough", async () => {
  server.drawable = ({ tags }) => (tags.length === 2 ? 1 : 3);
  const questions = await open(draw);
  fireEvent.click(await header(/2.случайных вопроса из банка «Алгебра»/));
  expect(plain((await screen.findByText(/Сейчас подход/)).textContent)).toBe("Сейчас подходят 3 вопроса.");
  fireEvent.click(screen.getByRole("checkbox", { name: /новые/ }));
  expect(questions()[0]).toMatchObject({ tags: ["лёгкие", "новые"] });
  expect(await screen.findByText(/Этого не хватит/)).toBeTruthy();
  expect(await screen.findByText("Не хватает вопросов")).toBeTruthy();
  fireEvent.change(screen.getByRole("textbox", { name: "Сколько вопросов выбрать" }), {
    target: { value: "1" },
  });
  expect(questions()[0]).toMatchObject({ count: 1 });
  await waitFor(() => expect(screen.queryByText(/Этого не хватит/)).toBeNull());
  fireEvent.change(screen.getByRole("textbox", { name: "Баллы за каждый" }), { target: { value: "2,5" } });
  expect(questions()[0]).toMatchObject({ points: 2.5 });
  fireEvent.change(screen.getByRole("combobox", { name: "Банк вопросов" }), { target: { value: "b2" } });
  expect(questions()[0]).toMatchObject({ bank_id: "b2", tags: [] });
});

test("a quiz that was not saved for want of questions is saved once the bank has enough", async () => {
  server.drawable = () => 1;
  await open(draw);
  expect(await screen.findByText("Не хватает вопросов")).toBeTruthy();
  onSave.mockClear();
  server.drawable = () => 2;
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(onSave).toHaveBeenCalledOnce());
  expect(screen.queryByText("Не хватает вопросов")).toBeNull();
});

test("of a bank that the author cannot read only the points can be changed", async () => {
  server.banks = [bank("b2", "Чужой", "VIEWER")];
  const questions = await open(draw);
  fireEvent.click(await header(/2.случайных вопроса из банка/));
  expect(await screen.findByText(/Этот банк вам не открыт/)).toBeTruthy();
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Сколько вопросов выбрать" })).toBeNull();
  expect(screen.getAllByText(/Тег: лёгкие/).length).toBeGreaterThan(0);
  fireEvent.change(screen.getByRole("textbox", { name: "Баллы за каждый" }), { target: { value: "3" } });
  expect(questions()[0]).toEqual({ ...draw, points: 3 });
});

test("all sources are asked for at once; a question says where it comes from and whether it was edited", async () => {
  server.sources = [sourceNow(1)];
  await open(copied, { ...copied, id: "q2", prompt: said("Столица Италии?") }, { ...question, id: "q3" });
  expect((await header(/Столица Франции\?.*Из банка «Алгебра»$/)).textContent).not.toContain("изменён");
  expect((await header(/Столица Италии/)).textContent).toContain("изменён");
  expect(server.asked).toEqual(["sources"]);
});

test("a source that cannot be read leaves its badge", async () => {
  await open(copied);
  expect((await header(/Столица Франции/)).textContent).toContain("Из банка");
  expect(screen.queryByText("Есть новая версия")).toBeNull();
});

test("a newer version is compared and taken, which can be undone", async () => {
  server.sources = [sourceNow(2, { accepted: ["Париж", "Paris"] } as never)];
  const questions = await open(copied);
  fireEvent.click(await header(/Столица Франции.*Есть новая версия/));
  await press("Сравнить");
  const dialog = await screen.findByRole("dialog", { name: "Новая версия вопроса", hidden: true });
  expect(await within(dialog).findByText("Париж · Paris")).toBeTruthy();
  expect(within(dialog).getByText("Париж")).toBeTruthy();
  fireEvent.click(within(dialog).getByRole("button", { name: "Обновить", hidden: true }));
  expect(questions()[0]).toMatchObject({
    id: "q1",
    points: 2,
    accepted: ["Париж", "Paris"],
    source: { question_id: "bq", version: 2 },
  });
  await waitFor(() => expect(screen.queryByText("Есть новая версия")).toBeNull());
  expect(document.activeElement).toBe(
    screen.getByRole("button", { name: /Столица Франции/, expanded: true }),
  );
  await press("Отменить");
  expect(questions()).toEqual([copied]);
});

test("questions are saved in a new bank and become its copies", async () => {
  const questions = await open(question, draw, { ...copied, id: "q2" });
  await press(/^Сохранить все вопросы в.банк…$/);
  const dialog = await screen.findByRole("dialog", { hidden: true });
  const bankField = await within(dialog).findByRole<HTMLSelectElement>("combobox", { hidden: true });
  expect([...bankField.options].map(({ text }) => text)).toEqual(["Алгебра", "Новый банк"]);
  fireEvent.change(bankField, { target: { value: "new" } });
  const field = (name: string) => within(dialog).findByRole("textbox", { name, hidden: true });
  fireEvent.change(await field("Название банка"), { target: { value: " География " } });
  fireEvent.change(await field("Теги"), { target: { value: "столицы, Европа,," } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Сохранить", hidden: true }));
  expect(await screen.findByText(/2.вопроса сохранены в.банк «География»/)).toBeTruthy();
  const [saved] = server.saved;
  expect(saved?.bankId).toBe("b3");
  expect(saved?.questions.map(({ tags }) => tags)).toEqual(Array(2).fill(["столицы", "Европа"]));
  expect(saved?.questions[1]?.question).not.toHaveProperty("source");
  expect(questions()).toEqual([
    { ...question, source: { question_id: "new0", version: 1 } },
    draw,
    { ...copied, id: "q2" },
  ]);
});
