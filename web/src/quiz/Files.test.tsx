import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { sendFile, type UploadOptions } from "../api/upload";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { mayLeave } from "../ui/unsaved";
import { loadDraft } from "./draft";
import FilesInput from "./fields/FilesInput";
import type { Question, QuestionOf, QuizPageState } from "./model";
import { Quiz } from "./QuizPart";
import { questions } from "./testing";

vi.mock("../api/upload", () => ({ sendFile: vi.fn() }));

/** The uploads that the field has started, by the names of their files. */
interface Started {
  url: string;
  name: string;
  options: UploadOptions;
  resolve: () => void;
  end: () => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}
const started: Started[] = [];
vi.mocked(sendFile).mockImplementation(
  (url, file, options) =>
    new Promise((done, reject) => {
      options.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      const { name, size } = file;
      const resolve = () =>
        done({ id: `id-${name}`, url: "/files/1", filename: name, content_type: "application/pdf", size });
      started.push({
        url,
        name,
        options,
        resolve,
        end: () => act(async () => resolve()),
        fail: (error) => act(async () => reject(error)),
      });
    }),
);

afterEach(() => {
  cleanup();
  localStorage.clear();
  started.length = 0;
});

const page = (question: Question = questions.files) =>
  ({
    id: "p",
    version: 1,
    isCompleted: false,
    attemptsLeft: null,
    bestPercent: null,
    latePenaltyPerDay: null,
    latePenaltyMax: null,
    timeline: { ...openTimes, lateUntil: null, penaltyPercent: 0 },
    course: { id: "c", timeZone: null },
    quiz: {
      passPercent: 60,
      maxAttempts: null,
      reveal: "AFTER_SUBMIT",
      checking: "AT_END",
      timeLimitSeconds: null,
      attemptNo: 1,
      questionCount: 1,
      questions: [question],
    },
    attempts: [],
    runningAttempt: null,
  }) as unknown as QuizPageState;

async function open(mode: "take" | "try" | "look" = "take", state = page()) {
  const send = vi.fn();
  const link = new ApolloLink(({ operationName, variables }) => {
    send(operationName, variables);
    return new Observable(() => {});
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  await renderInRouter(
    <ApolloProvider client={client}>
      <Quiz page={state} userId="me" mode={mode} />
    </ApolloProvider>,
  );
  await screen.findByText("Ответ проверит преподаватель.");
  return send;
}

const pdf = (name: string, size = 2048) =>
  new File([new Uint8Array(size)], name, { type: "application/pdf" });
const input = () => document.querySelector<HTMLInputElement>("input[type=file]");
function choose(...files: File[]) {
  const field = input();
  if (!field) throw new Error("no more files can be chosen");
  fireEvent.change(field, { target: { files } });
}
const upload = (name: string) => {
  const found = started.findLast((one) => one.name === name);
  if (!found) throw new Error(`${name} is not being uploaded`);
  return found;
};
/** The text with usual spaces in place of those that do not break. */
const plain = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");
const rows = () =>
  within(screen.getByRole("list", { name: "Приложенные файлы" }))
    .getAllByRole("listitem")
    .map((row) => plain(row.textContent));
const said = () => screen.getAllByRole("status").map(({ textContent }) => plain(textContent));
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Отправить ответы" }));
const button = (name: string) => screen.getByRole("button", { name });

test("files are uploaded with their progress, kept on the device without an address, and submitted by their ids", async () => {
  const send = await open();
  expect(input()?.accept).toBe(".pdf, .png");
  expect(screen.getByText("Можно приложить до 2 файлов")).toBeTruthy();
  choose(pdf("а.pdf"), pdf("б.PDF", 1));
  expect(upload("а.pdf").url).toBe("/api/v1/courses/upload_answer_file/p/q9");
  expect(said()).toContain("Загружается: а.pdf, б.PDF");
  act(() => upload("а.pdf").options.onProgress(0.42));
  expect(screen.getByRole("progressbar", { name: "Загрузка: а.pdf" }).getAttribute("aria-valuenow")).toBe(
    "42",
  );
  expect(rows()[0]).toContain("2 КБ · загружено 42 %");
  await upload("б.PDF").end();
  expect(said()).toContain("Файл загружен: б.PDF");
  await upload("а.pdf").end();
  expect(rows()).toEqual(["б.PDF1 Б", "а.pdf2 КБ"]);
  const { files } = loadDraft("me", "p")?.answers.q9 ?? {};
  expect(files).toEqual([
    { id: "id-б.PDF", filename: "б.PDF", contentType: "application/pdf", size: 1 },
    { id: "id-а.pdf", filename: "а.pdf", contentType: "application/pdf", size: 2048 },
  ]);
  submit();
  const answers = [{ questionId: "q9", fileIds: ["id-б.PDF", "id-а.pdf"] }];
  expect(send).toHaveBeenCalledWith("SubmitQuiz", {
    input: expect.objectContaining({ pageId: "p", answers }),
  });
});

test("two uploads that end at the same time are both kept", async () => {
  await open();
  choose(pdf("а.pdf"), pdf("б.pdf"));
  await act(async () => {
    upload("а.pdf").resolve();
    upload("б.pdf").resolve();
  });
  expect(rows()).toEqual(["а.pdf2 КБ", "б.pdf2 КБ"]);
});

test("leaving the quiz aborts running uploads and starts no queued ones", async () => {
  await open("take", page({ ...questions.files, maxFiles: 5 }));
  choose(...["а", "б", "в", "г", "д"].map((name) => pdf(`${name}.pdf`)));
  expect(started).toHaveLength(3);
  await act(async () => cleanup());
  expect(started.every(({ options }) => options.signal.aborted)).toBe(true);
  expect(started).toHaveLength(3);
});

test("uploaded files survive a reload of the page", async () => {
  await open();
  choose(pdf("а.pdf"));
  await upload("а.pdf").end();
  cleanup();
  await open();
  expect(rows()).toEqual(["а.pdf2 КБ"]);
});

test("a file of a wrong kind, an empty one and one too many are refused at once", async () => {
  await open();
  choose(pdf("фото.heic"), pdf("пусто.pdf", 0), pdf("а.pdf"), pdf("б.pdf"), pdf("в.pdf"));
  const alert = screen
    .getAllByRole("alert")
    .map(({ textContent }) => plain(textContent))
    .join(" ");
  expect(alert).toContain("Не подходит: «фото.heic». Здесь принимаются только .pdf, .png.");
  expect(alert).toContain("Пустой файл приложить нельзя: «пусто.pdf».");
  expect(alert).toContain("Можно приложить только 2 файла. Не добавлено: «в.pdf».");
  expect(started.map(({ name }) => name)).toEqual(["а.pdf", "б.pdf"]);
  expect(screen.queryByRole("button", { name: "Выбрать файлы" })).toBeNull();
  expect(document.activeElement).toBe(button("Отменить загрузку: а.pdf"));
});

test("a failed upload is retried alone, and the others continue", async () => {
  const send = await open();
  choose(pdf("а.pdf"), pdf("б.pdf"));
  await upload("а.pdf").fail(ApiError.unreachable("/", "upload"));
  expect(said()).toContain("Файл не загрузился: а.pdf");
  submit();
  expect(screen.getByText(/Файлы ещё загружаются/)).toBeTruthy();
  await upload("б.pdf").end();
  expect(screen.getByText(/Не все файлы загрузились/)).toBeTruthy();
  submit();
  expect(document.activeElement).toBe(screen.getByRole("group"));
  expect(send).not.toHaveBeenCalledWith("SubmitQuiz", expect.anything());
  fireEvent.click(button("Повторить загрузку: а.pdf"));
  expect(started).toHaveLength(3);
  expect(document.activeElement).toBe(button("Отменить загрузку: а.pdf"));
  await upload("а.pdf").end();
  expect(document.activeElement).toBe(button("Убрать: а.pdf"));
  expect(rows()).toEqual(["б.pdf2 КБ", "а.pdf2 КБ"]);
  expect(screen.queryByText(/Не все файлы загрузились/)).toBeNull();
  submit();
  expect(send).toHaveBeenCalledWith("SubmitQuiz", expect.anything());
});

test("an upload that the server refuses can only be removed", async () => {
  await open();
  choose(pdf("а.pdf"));
  const body = {
    detail: [{ loc: ["body", "file"], msg: "Такие файлы не принимаются", type: "value_error" }],
  };
  await upload("а.pdf").fail(new ApiError({ url: "/", status: 422, statusText: "", body }));
  expect(rows()[0]).toContain("Такие файлы не принимаются");
  expect(screen.queryByRole("button", { name: /^Повторить/ })).toBeNull();
  fireEvent.click(button("Убрать: а.pdf"));
  expect(screen.queryByRole("list", { name: "Приложенные файлы" })).toBeNull();
  expect(document.activeElement).toBe(button("Выбрать файлы"));
});

test("an upload that is refused because the quiz takes no attempts any more reads the page again", async () => {
  const send = await open();
  choose(pdf("а.pdf"));
  const body = { detail: "Попыток больше нет" };
  await upload("а.pdf").fail(new ApiError({ url: "/", status: 409, statusText: "", body }));
  expect(rows()[0]).toContain("Попыток больше нет");
  expect(send).toHaveBeenCalledWith("QuizPage", { id: "p" });
});

test("uploads end with the time for answers: none is announced as stored, and no queued one starts", async () => {
  const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });
  let close = () => {};
  function Closing() {
    const [disabled, setDisabled] = useState(false);
    close = () => setDisabled(true);
    return (
      <ApolloProvider client={client}>
        <FilesInput
          question={{ ...questions.files, maxFiles: 5 } as QuestionOf<"FileUploadQuestion">}
          pageId="p"
          answer={undefined}
          onAnswer={taken}
          onUnsent={() => undefined}
          disabled={disabled}
          labelledBy=""
        />
      </ApolloProvider>
    );
  }
  const taken = vi.fn();
  await renderInRouter(<Closing />);
  choose(...["а", "б", "в", "г", "д"].map((name) => pdf(`${name}.pdf`)));
  await upload("в.pdf").fail(new ApiError({ url: "/", status: 500, statusText: "", body: null }));
  await act(async () => close());
  await upload("а.pdf").end();
  expect(upload("б.pdf").options.signal.aborted).toBe(true);
  expect(taken).not.toHaveBeenCalled();
  expect(said().join()).not.toContain("Файл загружен");
  expect(rows()).toHaveLength(1);
  expect(started).toHaveLength(4);
});

test("cancelling an upload or removing a file moves the focus to the next row", async () => {
  await open();
  choose(pdf("а.pdf"), pdf("б.pdf"));
  await upload("а.pdf").end();
  fireEvent.click(button("Отменить загрузку: б.pdf"));
  expect(upload("б.pdf").options.signal.aborted).toBe(true);
  expect(said()).toContain("Загрузка отменена: б.pdf");
  expect(document.activeElement).toBe(button("Убрать: а.pdf"));
  fireEvent.click(button("Убрать: а.pdf"));
  expect(said()).toContain("Файл убран: а.pdf");
  expect(loadDraft("me", "p")?.answers.q9?.files).toEqual([]);
});

test("at most three files are uploaded concurrently", async () => {
  await open("take", page({ ...questions.files, maxFiles: 5 }));
  choose(...["1.pdf", "2.pdf", "3.pdf", "4.pdf", "5.pdf"].map((name) => pdf(name)));
  expect(started).toHaveLength(3);
  expect(rows()[3]).toContain("ждёт очереди");
  fireEvent.click(button("Отменить загрузку: 4.pdf"));
  await upload("2.pdf").end();
  expect(started.map(({ name }) => name)).toEqual(["1.pdf", "2.pdf", "3.pdf", "5.pdf"]);
});

test("answers are not submitted while files are uploaded, and leaving asks and cancels the upload", async () => {
  const send = await open();
  choose(pdf("а.pdf"));
  submit();
  expect(screen.getByText(/Отправьте ответы, когда загрузка закончится/)).toBeTruthy();
  expect(send).not.toHaveBeenCalledWith("SubmitQuiz", expect.anything());
  const leaving = mayLeave();
  const question = await screen.findByRole("dialog", { name: "Файлы ещё загружаются" });
  fireEvent.click(within(question).getByRole("button", { name: "Уйти" }));
  expect(await leaving).toBe(true);
  await waitFor(() => expect(upload("а.pdf").options.signal.aborted).toBe(true));
});

test("files can be dropped, a folder cannot, and a file dropped outside the zone does not replace the page", async () => {
  await open();
  const place = screen.getByText("Перетащите файлы сюда или").parentElement;
  if (!place) throw new Error("the place is missing");
  const item = (file: File, isDirectory: boolean) => ({
    getAsFile: () => file,
    webkitGetAsEntry: () => ({ isDirectory }),
  });
  const dataTransfer = { types: ["Files"], items: [item(pdf("а.pdf"), false), item(pdf("Папка.pdf"), true)] };
  fireEvent.dragOver(place, { dataTransfer });
  fireEvent.drop(place, { dataTransfer });
  expect(started.map(({ name }) => name)).toEqual(["а.pdf"]);
  expect(screen.getByText(/Папку приложить нельзя: «Папка.pdf»/)).toBeTruthy();
  expect(fireEvent.drop(document.body, { dataTransfer })).toBe(false);
});

test("a try-out uploads files too, and a preview does not", async () => {
  await open("try");
  choose(pdf("а.pdf"));
  expect(started).toHaveLength(1);
  cleanup();
  await open("look");
  expect(button("Выбрать файлы")).toHaveProperty("disabled", true);
});

test("a submitted answer shows its files with their sizes", async () => {
  const state = page();
  const files = [
    {
      id: "f1",
      filename: "Отчёт.pdf",
      contentType: "application/pdf",
      size: 3_000_000,
      url: "/files/1?expires=9",
    },
  ];
  const result = { questionId: "q9", points: null, maxPoints: 5, correct: null, isWaiting: true };
  const attempt = {
    resultChanges: [],
    id: "a",
    attemptNo: 1,
    score: 0,
    maxScore: 5,
    percent: 0,
    penaltyPercent: 0,
    passed: false,
    waitingAnswers: 1,
    submittedAt: "2026-11-26T10:00:00Z",
    answers: [{ __typename: "FilesAnswer", questionId: "q9", files }],
    results: [
      {
        ...result,
        comment: null,
        marks: [],
        pins: [],
        prompt: null,
        explanation: null,
        optionFeedback: [],
        correctAnswer: null,
        zones: [],
        rightPlaces: [],
      },
    ],
  };
  const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });
  await renderInRouter(
    <ApolloProvider client={client}>
      <Quiz page={{ ...state, attempts: [attempt] } as unknown as QuizPageState} userId="me" mode="take" />
    </ApolloProvider>,
  );
  const link = screen.getByRole("link", { name: /Отчёт.pdf/ });
  expect(plain(link.textContent)).toContain("2,9 МБ");
  expect(link.getAttribute("href")).toBe("/files/1?expires=9");
  expect(screen.getByText("ждёт проверки")).toBeTruthy();
  expect(screen.queryByText("Неверно")).toBeNull();
});
