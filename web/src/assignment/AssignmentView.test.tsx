import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { said } from "../quiz/testing";
import type { Mode } from "../quiz/useTaking";
import { renderInRouter } from "../testing/renderInRouter";
import { Toaster } from "../ui/Toaster";
import { toastStore } from "../ui/toasts";
import { AssignmentView } from "./AssignmentView";
import { CopyKeeper, readCopies } from "./copies";
import { EMPTY } from "./draftText";
import type { AssignmentPage } from "./model";
import { assignmentPage, fakeClient, handIn, stored, version } from "./testing";

beforeEach(() => {
  localStorage.clear();
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  toastStore.setState(() => []);
  vi.unstubAllGlobals();
});

/** An assignment that takes links alone: the other fields have tests of their own. */
const links = { ...handIn, takesText: false, maxFiles: 0, maxLinks: 3 };
const withLinks = (over: Partial<AssignmentPage> = {}) =>
  assignmentPage({
    ...over,
    quiz: { passPercent: 70, questions: [links] },
  });

const plain = (text: string | null | undefined) => (text ?? "").replaceAll("\u00a0", " ");

type Answers = Parameters<typeof fakeClient>[0];

async function openToShow(page: AssignmentPage, answers: Answers = {}, mode: Mode = "take") {
  const { client, asked } = fakeClient({
    SaveAnswerDraft: ({ input }) => {
      const { version, links } = input as { version: number; links: string[] };
      return { saveAnswerDraft: { draft: stored(version + 1, null, links), conflict: null } };
    },
    ...answers,
  });
  let show = (_: AssignmentPage) => {};
  const Shown = () => {
    const [shown, setShown] = useState(page);
    show = setShown;
    return <AssignmentView page={shown} userId="me" mode={mode} />;
  };
  await renderInRouter(
    <ApolloProvider client={client}>
      <Shown />
      <Toaster />
    </ApolloProvider>,
  );
  if (mode !== "look") await screen.findAllByRole("heading", { level: 2 });
  const inputs = (name: string) =>
    asked.filter((one) => one.name === name).map(({ variables }) => variables.input);
  return { asked: inputs, show: (next: AssignmentPage) => act(() => show(next)) };
}

const open = async (...args: Parameters<typeof openToShow>) => (await openToShow(...args)).asked;

const taken = (page: AssignmentPage) => ({
  submitQuiz: {
    outcome: "TAKEN",
    error: null,
    attempt: page.attempts.at(-1),
    page: { ...page, isVisited: true, reason: null },
    lesson: null,
    course: null,
  },
});

const field = (number = 1) => screen.getByRole<HTMLInputElement>("textbox", { name: `Ссылка ${number}` });
const type = (text: string, number = 1) => fireEvent.change(field(number), { target: { value: text } });
/** The name with usual or other spaces. */
const spaced = (name: string) => new RegExp(`^${name.replaceAll(" ", "\\s")}`);
const button = (name: string) => screen.getByRole("button", { name: spaced(name) });
const heading = (name: string) => screen.findByRole("heading", { name: spaced(name) });

describe("the form", () => {
  test("saves a draft and hands in the work once", async () => {
    const done = withLinks({ attempts: [version(1, "Работа")] });
    const asked = await open(withLinks(), { HandIn: () => taken(done) });
    expect(screen.queryByText("Черновик сохранён")).toBeNull();
    type("example.org/a");
    fireEvent.blur(field());
    expect(field().value, "a scheme is added").toBe("https://example.org/a");
    await screen.findByText("Черновик сохранён", undefined, { timeout: 3000 });
    expect(asked("SaveAnswerDraft")).toMatchObject([{ version: 0, links: ["https://example.org/a"] }]);
    fireEvent.click(button("Сдать работу"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(1));
    expect(asked("HandIn")[0]).toMatchObject({
      pageId: "p",
      version: 1,
      answers: [{ questionId: "q10", links: ["https://example.org/a"] }],
    });
    await waitFor(() => expect(readCopies("me", "p")).toEqual([]));
  });

  test("does not hand in nothing, or what is no address", async () => {
    const asked = await open(withLinks());
    fireEvent.click(button("Сдать работу"));
    expect(screen.getByRole("alert").textContent).toContain("Сдавать пока нечего");
    expect(document.activeElement).toBe(field());
    type("не адрес");
    expect(screen.getByRole("alert").textContent).toBe("");
    fireEvent.blur(field());
    expect(screen.getByText(/Это не адрес страницы/)).toBeTruthy();
    fireEvent.click(button("Сдать работу"));
    expect(screen.getByRole("alert").textContent).toContain("Одна из ссылок");
    expect(asked("HandIn")).toEqual([]);
  });

  test("asks once before the last version", async () => {
    const asked = await open(withLinks({ attemptsLeft: 1 }));
    expect(plain(screen.getByText(/^Сдать можно ещё/).textContent)).toBe("Сдать можно ещё 1 раз");
    type("https://example.org");
    fireEvent.click(button("Сдать работу"));
    expect(screen.getByRole("alert").textContent).toContain("Больше сдать не получится");
    expect(asked("HandIn")).toEqual([]);
    fireEvent.click(button("Да, сдать"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(1));
  });

  test("keeps a submission without an answer, and sends exactly the same again", async () => {
    let isDown = true;
    const done = withLinks({ attempts: [version(1, "Работа")] });
    const asked = await open(withLinks(), {
      HandIn: () => (isDown ? ApiError.unreachable("/", "graphql") : taken(done)),
    });
    type("https://example.org");
    fireEvent.click(button("Сдать работу"));
    await screen.findByText(/Сервер не ответил/);
    expect(field().disabled).toBe(true);
    expect(readCopies("me", "p")[0]?.pending).toBeTruthy();
    isDown = false;
    fireEvent.click(button("Отправить ещё раз"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(2));
    expect(asked("HandIn")[1]).toEqual(asked("HandIn")[0]);
    await waitFor(() => expect(readCopies("me", "p")).toEqual([]));
  });

  test("goes on with a submission of an earlier visit", async () => {
    const answers = [{ questionId: "q10", links: ["https://example.org"] }];
    new CopyKeeper({ userId: "me", pageId: "p", session: "gone" }).keepPending(
      { submissionId: "s", version: 1, answers },
      { ...EMPTY, links: ["https://example.org"] },
      0,
    );
    const done = withLinks({ attempts: [version(1, "Работа")] });
    const asked = await open(withLinks(), { HandIn: () => taken(done) });
    const sent = { pageId: "p", version: 1, submissionId: "s", answers };
    await waitFor(() => expect(asked("HandIn")).toEqual([sent]));
    await waitFor(() => expect(readCopies("me", "p")).toEqual([]));
    // The next version is another submission.
    type("https://example.org/2");
    fireEvent.click(button("Сдать работу"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(2));
    expect(asked("HandIn")[1]).not.toMatchObject({ submissionId: "s" });
  });

  const leaveSent = () => {
    const answers = [{ questionId: "q10", links: ["https://example.org"] }];
    new CopyKeeper({ userId: "me", pageId: "p", session: "gone" }).keepPending(
      { submissionId: "s", version: 1, answers },
      { ...EMPTY, links: ["https://example.org"] },
      0,
    );
  };
  const refusal = new ApiError({ url: "/", status: 422, statusText: "", body: { detail: "Уже поздно" } });
  const closed = { timeline: { ...withLinks().timeline, state: "CLOSED" as const } };

  test.each([
    ["no version is left", { attempts: [version(1, "Работа")], attemptsLeft: 0 }],
    ["the assignment is closed", closed],
  ])("goes on with a submission of an earlier visit when %s", async (_, over) => {
    leaveSent();
    const done = withLinks({ ...over, attempts: [version(1, "Работа")] });
    const asked = await open(withLinks(over), { HandIn: () => taken(done) });
    await waitFor(() => expect(asked("HandIn")).toMatchObject([{ submissionId: "s" }]));
    await waitFor(() => expect(readCopies("me", "p")).toEqual([]));
    expect(screen.queryByRole("button", { name: "Сдать работу" })).toBeNull();
  });

  test("a submission of an earlier visit that a closed assignment refuses becomes a draft again", async () => {
    leaveSent();
    const asked = await open(withLinks(closed), { HandIn: () => refusal });
    await heading("Черновик, который не сдан");
    expect(screen.getByText("Уже поздно")).toBeTruthy();
    expect(screen.getByText("https://example.org")).toBeTruthy();
    await waitFor(() =>
      expect(asked("SaveAnswerDraft")).toMatchObject([{ version: 0, links: ["https://example.org"] }]),
    );
    await waitFor(() => expect(readCopies("me", "p")).toEqual([]));
  });

  test("hands in nothing when another device has saved a different draft", async () => {
    const theirs = { ...stored(2, "Другое"), __typename: "AnswerDraft" };
    const asked = await open(withLinks({ draft: stored(1, "Прежнее") }), {
      SaveAnswerDraft: ({ input }) => ({
        saveAnswerDraft:
          (input as { version: number }).version === 1
            ? { draft: null, conflict: { message: "", draft: theirs } }
            : { draft: stored(3, "Другое"), conflict: null },
      }),
    });
    // The text of the draft is removed here and changed there.
    fireEvent.click(button("Удалить из черновика"));
    type("https://example.org");
    fireEvent.click(button("Сдать работу"));
    await screen.findByText(/Черновик изменили в другом окне/);
    await screen.findByText("Сначала решите, какой черновик оставить.");
    expect(asked("HandIn")).toEqual([]);
    expect(field().disabled).toBe(false);
    fireEvent.click(button("Соединить оба"));
    await waitFor(() => expect(asked("SaveAnswerDraft")).toHaveLength(2));
  });

  test("shows what another device has added to the draft before it is handed in", async () => {
    const theirs = {
      ...stored(2, null, ["https://a.example", "https://b.example"]),
      __typename: "AnswerDraft",
    };
    const answers = [{ draft: null, conflict: { message: "", draft: theirs } }];
    const done = withLinks({ attempts: [version(1, "Работа")] });
    const asked = await open(withLinks({ draft: stored(1, null, ["https://a.example"]) }), {
      SaveAnswerDraft: () => ({
        saveAnswerDraft: answers.shift() ?? { draft: stored(3, null), conflict: null },
      }),
      HandIn: () => taken(done),
    });
    fireEvent.click(button("Добавить ссылку"));
    type("https://c.example", 2);
    fireEvent.click(button("Сдать работу"));
    await screen.findByText(/Черновик дополнен/);
    expect([field(1), field(2), field(3)].map(({ value }) => value)).toEqual([
      "https://a.example",
      "https://b.example",
      "https://c.example",
    ]);
    expect(asked("HandIn")).toEqual([]);
    fireEvent.click(button("Сдать работу"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(1));
    expect(JSON.stringify(asked("HandIn")[0])).toContain("https://b.example");
  });

  test("hands in only what the assignment takes, and shows the rest", async () => {
    const done = withLinks({ attempts: [version(1, "Работа")] });
    const asked = await open(withLinks({ draft: stored(1, "Текст, который больше не нужен") }), {
      HandIn: () => taken(done),
    });
    const rest = screen.getByRole("region", { name: spaced("Это больше не принимается") });
    expect(rest.textContent).toContain("Текст, который больше не нужен");
    fireEvent.click(button("Сдать работу"));
    expect(screen.getByRole("alert").textContent).toContain("Сдавать пока нечего");
    type("https://example.org");
    fireEvent.click(button("Сдать работу"));
    await waitFor(() => expect(asked("HandIn")).toHaveLength(1));
    expect(asked("HandIn")[0]).toMatchObject({
      answers: [{ questionId: "q10", links: ["https://example.org"] }],
    });
    expect(JSON.stringify(asked("HandIn")[0])).not.toContain("больше не нужен");
  });

  test("what is not taken any more can be removed, and put back", async () => {
    const asked = await open(withLinks({ draft: stored(1, "Лишнее") }));
    fireEvent.click(button("Удалить из черновика"));
    expect(screen.queryByText("Лишнее")).toBeNull();
    await waitFor(() => expect(asked("SaveAnswerDraft")).toMatchObject([{ content: null }]), {
      timeout: 3000,
    });
    fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
    expect(screen.getByText("Лишнее")).toBeTruthy();
  });

  test("takes over a draft that was handed in from another window", async () => {
    const { show } = await openToShow(withLinks({ draft: stored(1, null, ["https://a.example"]) }));
    expect(field().value).toBe("https://a.example");
    show(withLinks({ attempts: [version(1, "Работа")] }));
    await heading("Работа на проверке");
    expect(screen.queryByDisplayValue("https://a.example")).toBeNull();
  });

  test("tells why the work was refused, and keeps it", async () => {
    const refused = new ApiError({
      url: "/",
      status: 422,
      statusText: "",
      body: { detail: "Слишком много" },
    });
    await open(withLinks(), { HandIn: () => refused });
    type("https://example.org");
    fireEvent.click(button("Сдать работу"));
    await screen.findByText("Слишком много");
    expect(field().value).toBe("https://example.org");
    expect(field().disabled).toBe(false);
  });

  test("shows two drafts that were written apart, and hands in none before one is chosen", async () => {
    // What this device has was written on an older draft, in which the text was another one.
    new CopyKeeper({ userId: "me", pageId: "p", session: "gone" }).keep(
      { ...EMPTY, content: said("Моё"), links: ["https://mine.example"] },
      1,
      null,
      Date.now(),
    );
    const theirs = stored(2, "Другое");
    const isKnown = (input: unknown) => (input as { version: number }).version === 2;
    const asked = await open(withLinks({ draft: theirs }), {
      SaveAnswerDraft: ({ input }) => ({
        saveAnswerDraft: isKnown(input)
          ? { draft: { ...stored(3, "Моё"), __typename: "AnswerDraft" }, conflict: null }
          : { draft: null, conflict: { message: "", draft: { ...theirs, __typename: "AnswerDraft" } } },
      }),
    });
    await screen.findByText(/Черновик изменили в другом окне/);
    expect(screen.getByRole("group", { name: spaced("В этом окне") }).textContent).toContain("Моё");
    expect(screen.getByRole("group", { name: /^Сохранённый/ }).textContent).toContain("Другое");
    fireEvent.click(button("Сдать работу"));
    expect(screen.getByText("Сначала решите, какой черновик оставить.")).toBeTruthy();
    expect(asked("HandIn")).toEqual([]);
    fireEvent.click(button("Соединить оба"));
    await screen.findByText("Черновик сохранён");
    const words = JSON.stringify(asked("SaveAnswerDraft").at(-1));
    expect(words).toContain("Моё");
    expect(words).toContain("Другое");
  });
});

describe("what was handed in", () => {
  test("waits for a teacher, and can be replaced by a further version that begins with it", async () => {
    const asked = await open(withLinks({ attempts: [version(1, "Первая")], attemptsLeft: 2 }));
    await heading("Работа на проверке");
    expect(screen.queryByRole("button", { name: "Сдать работу" })).toBeNull();
    fireEvent.click(button("Исправить и сдать снова"));
    expect(field().value).toBe("https://1.example");
    expect(plain(document.activeElement?.textContent)).toBe("Версия 2");
    await waitFor(() =>
      expect(asked("SaveAnswerDraft")).toMatchObject([{ version: 0, links: ["https://1.example"] }]),
    );
    fireEvent.click(button("Удалить черновик"));
    expect(screen.queryByRole("button", { name: "Сдать работу" })).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
    expect(field().value).toBe("https://1.example");
  });

  test("that was returned shows the comment first, and earlier versions with their states", async () => {
    const result = (comment: string | null, over = {}) => [
      { ...(version(1, "").results[0] as object), comment, ...over } as never,
    ];
    const first = version(1, "Первая", {
      waitingAnswers: 0,
      score: 5,
      percent: 50,
      results: result("Мало", { points: 5 }),
    });
    const second = version(2, "Вторая", {
      isReturned: true,
      results: result("Добавьте вывод", { isReturned: true }),
    });
    await open(withLinks({ attempts: [first, second] }));
    const latest = (await heading("Возвращено на доработку")).closest("section");
    expect(within(latest as HTMLElement).getByText("Добавьте вывод")).toBeTruthy();
    const versions = screen.getByRole("region", { name: "Сданные версии" });
    expect(
      within(versions)
        .getAllByText(/^Версия \d$/)
        .map(({ textContent }) => textContent),
    ).toEqual(["Версия 2", "Версия 1"]);
    expect(plain(versions.textContent)).toContain("5 из 10 баллов");
    expect(plain(versions.textContent)).toContain("возвращено на доработку");
  });

  test("that has passed shows its points and no form", async () => {
    const passed = version(1, "Работа", { waitingAnswers: 0, score: 9, percent: 90, passed: true });
    await open(withLinks({ attempts: [passed], attemptsLeft: 0, bestPercent: 90 }));
    const latest = (await heading("Задание зачтено")).closest("section");
    expect(plain(latest?.textContent)).toContain("9 из 10 баллов");
    expect(screen.queryByRole("button", { name: spaced("Исправить и сдать снова") })).toBeNull();
  });

  test("when the assignment is closed, a draft that was not handed in can still be read", async () => {
    const timeline = { ...withLinks().timeline, state: "CLOSED" as const };
    await open(withLinks({ timeline, draft: stored(1, "Не успел", ["https://late.example"]) }));
    await heading("Черновик, который не сдан");
    expect(screen.getByText("Не успел")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Сдать работу" })).toBeNull();
  });
});

test("staff try the form, and nothing is stored", async () => {
  const attempt = { ...version(1, "Проба"), __typename: "Attempt" };
  const asked = await open(
    withLinks(),
    {
      TryHandIn: () => ({
        tryQuiz: { outcome: "TAKEN", error: null, attempt, page: { ...withLinks(), __typename: "Page" } },
      }),
    },
    "try",
  );
  type("https://example.org");
  fireEvent.click(button("Проверить форму"));
  await heading("Работа на проверке");
  expect(screen.getByText(/ничего не сохранено/)).toBeTruthy();
  expect(asked("SaveAnswerDraft")).toEqual([]);
  expect(localStorage.length).toBe(0);
  fireEvent.click(button("Заполнить ещё раз"));
  await act(async () => {});
  expect(field().value).toBe("");
});

test("a preview of staff shows the versions and no form", async () => {
  await open(withLinks({ attempts: [version(1, "Работа")] }), {}, "look");
  await heading("Работа на проверке");
  expect(screen.getByText(/В просмотре сдать нельзя/)).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByText("Работа")).toBeTruthy();
});

test("an assignment that is not set up says so", async () => {
  const page = assignmentPage({
    quiz: { passPercent: 70, questions: [] },
  });
  await open(page, {}, "look");
  expect(screen.getByText(/автор ещё не настроил/)).toBeTruthy();
});
