import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endSession, storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";
import { type Change, changed, KINDS, type Preferences } from "./changes";

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

const course = { __typename: "NoticePlace", id: "c1", title: "Основы Rust" };
const stored = {
  __typename: "NoticePreferences",
  language: "RU",
  timeZone: "Europe/Moscow",
  quietHours: null,
  isStored: true,
  choices: [...KINDS.learning, ...KINDS.teaching].map((kind) => ({
    __typename: "NoticeChoice",
    kind,
    inApp: true,
    mail: "ONCE",
    push: true,
    isDefault: true,
  })),
  courses: [{ __typename: "CourseNoticeChoices", course, choices: [] as object[] }],
} as unknown as Preferences;

/** A server that stores what it is told. */
function server(before: Preferences, more: Answers = {}): Answers {
  let preferences = before;
  const answer = (what: Change["what"], name: string) => (variables: Record<string, unknown>) => {
    preferences = complete(changed(preferences, { what, input: variables.input } as Change));
    return { [name]: { __typename: "Payload", preferences } };
  };
  return {
    NoticeDevices: () => ({ noticeDevices: { __typename: "NoticeDevices", publicKey: null, devices: [] } }),
    NoticePreferences: () => ({ noticePreferences: preferences }),
    SetNoticeSettings: answer("settings", "setNoticeSettings"),
    ChooseNotices: answer("choose", "chooseNotices"),
    ResetNotices: answer("reset", "resetNotices"),
    ...more,
  };
}

/** With the types that the cache asks for. */
const complete = (preferences: Preferences): Preferences =>
  JSON.parse(
    JSON.stringify(preferences, (key, value) => {
      if (key === "quietHours" && value) return { __typename: "QuietHours", ...value };
      return value && typeof value === "object" && "mail" in value
        ? { __typename: "NoticeChoice", ...value }
        : value;
    }),
  );

/** The name of an element; its texts have no-break spaces. */
const named = (text: string) => ({ name: new RegExp(`^${text.replaceAll(" ", "\\s")}$`) });
const open = (answers: Answers) => renderApp("/settings/notices", answers);
const mailOf = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", named(`По почте: ${name}`));
const inputs = (asked: { name: string | undefined; variables: Record<string, unknown> }[], name: string) =>
  asked.filter((one) => one.name === name).map(({ variables }) => variables.input);

describe("the settings of notices", () => {
  test("save a choice at once, show it before the answer, and say when it is saved", async () => {
    let respond = (_: object) => {};
    const { asked } = await open(
      server(stored, {
        ChooseNotices: () =>
          new Promise<object>((resolve) => {
            respond = resolve;
          }),
      }),
    );
    await screen.findByRole("heading", named("О чём сообщать"));
    fireEvent.change(mailOf("Скоро срок"), { target: { value: "DAILY" } });
    await screen.findByText("Сохраняем…");
    expect(mailOf("Скоро срок").value).toBe("DAILY");
    expect(inputs(asked, "ChooseNotices")).toEqual([{ kind: "DEADLINE_NEAR", inApp: true, mail: "DAILY" }]);
    const input = { kind: "DEADLINE_NEAR", inApp: true, mail: "DAILY" } as const;
    const preferences = complete(changed(stored, { what: "choose", input }));
    respond({ chooseNotices: { __typename: "ChooseNoticesPayload", preferences } });
    await screen.findByText("Сохранено");
    expect(mailOf("Скоро срок").value).toBe("DAILY");
  });

  test("take a refused choice back and say which", async () => {
    await open(server(stored, { ChooseNotices: () => Promise.reject(new TypeError("no network")) }));
    fireEvent.click(await screen.findByRole("checkbox", named("В Kurso: Вас упомянули в комментарии")));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent?.replaceAll("\u00a0", " ")).toContain(
      "Не удалось сохранить: «Вас упомянули в комментарии».",
    );
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /Вас упомянули/ }).checked).toBe(true);
    expect(screen.queryByText("Сохранено")).toBeNull();
  });

  test("send one change after another, the last of each choice", async () => {
    const waiting: ((answer: object) => void)[] = [];
    const { asked } = await open(
      server(stored, { ChooseNotices: () => new Promise<object>((resolve) => waiting.push(resolve)) }),
    );
    await screen.findByRole("heading", named("О чём сообщать"));
    for (const value of ["DAILY", "WEEKLY", "OFF"])
      fireEvent.change(mailOf("Скоро срок"), { target: { value } });
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.({ chooseNotices: { __typename: "ChooseNoticesPayload", preferences: stored } });
    await waitFor(() => expect(waiting).toHaveLength(2));
    expect(inputs(asked, "ChooseNotices")).toMatchObject([{ mail: "DAILY" }, { mail: "OFF" }]);
    expect(mailOf("Скоро срок").value).toBe("OFF");
  });

  test("return a kind to its default", async () => {
    const choices = stored.choices.map((choice) =>
      choice.kind === "GRADED" ? { ...choice, mail: "OFF" as const, isDefault: false } : choice,
    );
    const { asked } = await open(server({ ...stored, choices }));
    fireEvent.click(await screen.findByRole("button", named("Вернуть по умолчанию: Работа проверена")));
    await waitFor(() => expect(inputs(asked, "ResetNotices")).toEqual([{ kind: "GRADED" }]));
  });

  test("add an exception for a course and remove it", async () => {
    const { asked } = await open(server(stored));
    await screen.findByText("Исключений нет: во всех курсах одинаково.");
    fireEvent.click(screen.getByRole("button", named("Добавить исключение для курса")));
    const dialog = screen.getByRole("dialog", named("Исключение для курса"));
    fireEvent.change(within(dialog).getByRole("combobox", named("Событие")), {
      target: { value: "COMMENT" },
    });
    fireEvent.change(within(dialog).getByRole("combobox", named("По почте")), {
      target: { value: "OFF" },
    });
    fireEvent.submit(dialog.querySelector("form") as HTMLFormElement);
    const list = await screen.findByRole("region", named("Исключения: Основы Rust"));
    await waitFor(() =>
      expect(inputs(asked, "ChooseNotices")).toEqual([
        { courseId: "c1", kind: "COMMENT", inApp: true, mail: "OFF" },
      ]),
    );
    fireEvent.click(within(list).getByRole("button", { name: /^Убрать исключение/ }));
    await screen.findByText("Исключений нет: во всех курсах одинаково.");
    await waitFor(() => expect(inputs(asked, "ResetNotices")).toEqual([{ courseId: "c1", kind: "COMMENT" }]));
  });

  test("have quiet hours", async () => {
    const { asked } = await open(server(stored));
    fireEvent.click(await screen.findByRole("checkbox", named("Не беспокоить в тихие часы")));
    fireEvent.change(await screen.findByRole("combobox", named("До")), { target: { value: "07:30" } });
    await waitFor(() =>
      expect(inputs(asked, "SetNoticeSettings").at(-1)).toEqual({
        language: "RU",
        timeZone: "Europe/Moscow",
        quietHours: { from: "22:00", until: "07:30" },
      }),
    );
  });

  test("store the language and the time zone of the browser when nothing is stored", async () => {
    const { asked } = await open(server({ ...stored, isStored: false, timeZone: "UTC" }));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await waitFor(() =>
      expect(inputs(asked, "SetNoticeSettings")).toEqual([{ language: "RU", timeZone, quietHours: null }]),
    );
  });
});

describe("the page that unsubscribes", () => {
  const subscription = (kinds: string[], withCourse = false) => ({
    NoticeSubscription: () => ({
      noticeSubscription: {
        __typename: "NoticeSubscription",
        email: "a***@example.com",
        kinds,
        course: withCourse ? course : null,
      },
    }),
    UnsubscribeNotices: () => ({
      unsubscribeNotices: { __typename: "UnsubscribeNoticesPayload", message: "" },
    }),
  });
  const options = () =>
    screen
      .getAllByRole("radio")
      .map((radio) => radio.closest("label")?.textContent?.replaceAll("\u00a0", " "));

  test.each([[true], [false]])("opens with and without a session: %s", async (isSignedIn) => {
    if (!isSignedIn) endSession();
    await renderApp("/unsubscribe/a.b.c", subscription(["GRADED"]));
    await screen.findByText(/a\*\*\*@example\.com/);
    expect(options()).toHaveLength(2);
  });

  test("offers the kind, the kind in the course, and all; does nothing before the click, and confirms", async () => {
    const { asked } = await renderApp("/unsubscribe/a.b.c", subscription(["COMMENT"], true));
    fireEvent.click(await screen.findByRole("radio", { name: /из курса «Основы Rust»/ }));
    expect(options()[0]).toBe("Письма об ответах в обсуждениях");
    expect(inputs(asked, "UnsubscribeNotices")).toEqual([]);
    fireEvent.click(screen.getByRole("button", named("Не присылать")));
    await screen.findByRole("heading", named("Готово"));
    expect(inputs(asked, "UnsubscribeNotices")).toEqual([
      { token: "a.b.c", kind: "COMMENT", courseId: "c1" },
    ]);
    expect(screen.getByRole("status").textContent?.replaceAll("\u00a0", " ")).toBe(
      "Больше не будем присылать писем об ответах в обсуждениях из курса «Основы Rust».",
    );
  });

  test("says that the link is no longer valid", async () => {
    const refusal = new CombinedGraphQLErrors({
      data: null,
      errors: [{ message: "Ссылка не действует", extensions: { code: "NOT_FOUND" } }],
    });
    await renderApp("/unsubscribe/a.b.c", { NoticeSubscription: () => Promise.reject(refusal) });
    await screen.findByRole("heading", named("Ссылка больше не действует"));
    expect(screen.queryByRole("radio")).toBeNull();
  });

  test("stops all mails about notices", async () => {
    const { asked } = await renderApp("/unsubscribe/a.b.c", subscription(["COMMENT", "GRADED"]));
    fireEvent.click(await screen.findByRole("radio", { name: /Все письма/ }));
    fireEvent.click(screen.getByRole("button", named("Не присылать")));
    await waitFor(() => expect(inputs(asked, "UnsubscribeNotices")).toEqual([{ token: "a.b.c" }]));
  });
});
