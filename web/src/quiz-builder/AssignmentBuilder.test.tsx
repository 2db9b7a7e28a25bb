import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { assignmentPage, fakeClient } from "../assignment/testing";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { AssignmentBuilder } from "./AssignmentBuilder";
import { type AuthorQuiz, defaultQuiz, type HandInQuestion } from "./model";

afterEach(cleanup);

const question: HandInQuestion = {
  id: "q10",
  type: "hand_in",
  prompt: said(""),
  points: 10,
  explanation: null,
  takes_text: true,
  min_words: null,
  max_words: null,
  max_files: 5,
  extensions: [],
  max_links: 0,
  guide: null,
  rubric: null,
};

type Props = Parameters<typeof AssignmentBuilder>[0];

/** Renders the builder; `last` returns the quiz as it was changed last. */
async function open(over: Partial<HandInQuestion> = {}, props: Partial<Props> = {}) {
  const changed = vi.fn();
  const onSave = vi.fn();
  const { client } = fakeClient({
    AssignmentPage: () => ({ page: { ...assignmentPage(), __typename: "Page" } }),
  });
  function Builder() {
    const [quiz, setQuiz] = useState<unknown>({ ...defaultQuiz, questions: [{ ...question, ...over }] });
    const onChange: Props["onChange"] = (change) =>
      setQuiz((now: unknown) => {
        const next = typeof change === "function" ? change(now) : change;
        changed(next);
        return next;
      });
    return (
      <AssignmentBuilder
        pageId="p"
        quiz={quiz}
        wanted={null}
        revision={0}
        onChange={onChange}
        onSave={onSave}
        isSaved
        refusal={null}
        isPreview={false}
        {...props}
      />
    );
  }
  await renderInRouter(
    <ApolloProvider client={client}>
      <Builder />
    </ApolloProvider>,
  );
  const last = () => changed.mock.lastCall?.[0] as AuthorQuiz;
  return { last, work: () => last().questions[0] as HandInQuestion, onSave };
}

const box = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const way = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });

test("a way to hand in is switched off and on again with its number", async () => {
  const { work } = await open();
  type("Файлов не больше", "3");
  fireEvent.click(way("Файлы"));
  expect(work().max_files).toBe(0);
  expect(screen.queryByRole("textbox", { name: "Файлов не больше" })).toBeNull();
  fireEvent.click(way("Файлы"));
  expect(work().max_files).toBe(3);
  fireEvent.click(way("Ссылки"));
  expect(work().max_links).toBe(1);
  fireEvent.click(way("Текст"));
  expect(work().takes_text).toBe(false);
  expect(screen.queryByRole("textbox", { name: "Слов не меньше" })).toBeNull();
});

test("an assignment that takes nothing says so", async () => {
  const { work } = await open({ max_files: 0 });
  expect(screen.queryByText("Разрешите сдать текст, файлы или ссылки")).toBeNull();
  fireEvent.click(way("Текст"));
  expect(work().takes_text).toBe(false);
  expect(screen.getByText("Разрешите сдать текст, файлы или ссылки")).toBeTruthy();
});

test("points, the pass mark, the limit and the release are settings of the quiz", async () => {
  const { last, work } = await open();
  type("Баллы", "7,5");
  expect(work().points).toBe(7.5);
  type("Сколько процентов нужно для зачёта", "60");
  type("Версий работы не больше", "2");
  fireEvent.click(screen.getByRole("radio", { name: /вместе с/ }));
  expect(last()).toMatchObject({ pass_percent: 60, max_attempts: 2, release: "together" });
  type("Версий работы не больше", "");
  expect(last().max_attempts).toBeNull();
});

test("the points follow a rubric", async () => {
  const { work } = await open();
  fireEvent.click(screen.getByRole("button", { name: "Добавить критерии оценки" }));
  expect(work().rubric?.criteria).toHaveLength(1);
  expect(work().points).toBe(10);
  expect(box("Баллы").readOnly).toBe(true);
});

test("a prompt that an import has left can be edited; usually the page has the instructions", async () => {
  await open();
  expect(screen.queryByText("Текст над формой сдачи")).toBeNull();
  cleanup();
  await open({ prompt: said("Из другой системы") });
  expect(screen.getByText("Текст над формой сдачи")).toBeTruthy();
});

test("the dialog about what is missing leads to the field", async () => {
  await open({ takes_text: false, max_files: 0 }, { wanted: { question: 0 } });
  await waitFor(() => expect(document.activeElement).toBe(way("Текст")));
});

test("a refusal of the server stands at its field", async () => {
  await open({}, { refusal: { message: "Слишком много", path: "quiz.questions[0].max_files" } });
  expect(screen.getByText("Слишком много")).toBeTruthy();
});

test("an assignment that is not complete says what it lacks", async () => {
  await open({ points: 0 });
  expect(screen.getByText("За задание нужны баллы")).toBeTruthy();
});

test("the author sees the form as a learner and comes back", async () => {
  const { onSave } = await open();
  fireEvent.click(screen.getByRole("button", { name: "Посмотреть как ученик" }));
  expect(onSave).toHaveBeenCalled();
  const shown = await screen.findByRole("region", { name: "Проба" });
  await within(shown).findByRole("button", { name: "Проверить форму" });
  fireEvent.click(screen.getByRole("button", { name: /^Вернуться к.настройкам/ }));
  expect(document.activeElement?.textContent).toBe("Посмотреть как ученик");
});
