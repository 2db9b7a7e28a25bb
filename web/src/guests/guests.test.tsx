import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { keepReturnPath, returnPath } from "../api/returnPath";
import { endSession, GUEST_KEY, isGuest, storeToken, token } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";
import { dismissToast, toastStore } from "../ui/toasts";
import { storeGuest } from "./guestToken";
import { tokenOf } from "./testing";

const COURSE = "01900000-0000-7000-8000-000000000000";
const GUEST = tokenOf("guest");
const ANNA = tokenOf("anna");

beforeAll(startI18n);
afterEach(() => {
  cleanup();
  for (const { id } of toastStore.get()) dismissToast(id);
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const started = { __typename: "StartAsGuestPayload", accessToken: GUEST, courseId: COURSE };
const door = (allowsGuests: boolean, isEnrollmentOpen = true): Answers => ({
  GuestDoor: () => ({
    publicCourse: {
      __typename: "PublicCourse",
      allowsGuests,
      isEnrollmentOpen,
      course: { __typename: "CatalogueCourse", id: COURSE, title: "Узлы" },
    },
  }),
});
const merged = (uncountedAttempts = 0, courseIds = [COURSE]) => ({
  mergeGuest: { __typename: "MergeGuestPayload", courseIds, uncountedAttempts },
});
const failure = (status: number) =>
  new ApiError({ url: "/graphql", status, statusText: "", body: { detail: "нельзя" } });
const comeFromPage = () =>
  vi.spyOn(document, "referrer", "get").mockReturnValue(`${window.location.origin}/courses/${COURSE}`);
const names = (asked: readonly { name: string | undefined }[]) => asked.map(({ name }) => name);

describe("starting without an account", () => {
  test.each(["/login", "/signup"])(
    "is offered on %s when the page of the course leads there",
    async (path) => {
      keepReturnPath(`/join/${COURSE}`);
      const { asked, router } = await renderApp(path, {
        ...door(true),
        StartAsGuest: () => ({ startAsGuest: started }),
      });
      fireEvent.click(await screen.findByRole("button", { name: "Продолжить без регистрации" }));
      await waitFor(() => expect(router.state.location.pathname).toBe(`/view-course/${COURSE}`));
      expect(asked).toContainEqual({ name: "StartAsGuest", variables: { input: { courseId: COURSE } } });
      expect(isGuest()).toBe(true);
      expect(token()).toBe(GUEST);
      expect(returnPath()).toBe("/");
    },
  );

  test("works with a code", async () => {
    keepReturnPath("/?code=ABCD-2345");
    const { asked } = await renderApp("/login", {
      GuestCode: () => ({ guestCourse: { __typename: "GuestCourse", id: COURSE, title: "Узлы" } }),
      StartAsGuest: () => ({ startAsGuest: started }),
    });
    fireEvent.click(await screen.findByRole("button", { name: "Продолжить без регистрации" }));
    await waitFor(() => expect(isGuest()).toBe(true));
    expect(asked).toContainEqual({ name: "StartAsGuest", variables: { input: { shareCode: "ABCD-2345" } } });
  });

  test.each([
    ["a course without guests", door(false)],
    ["a course whose enrollment has ended", door(true, false)],
    ["an unknown course", { GuestDoor: () => Promise.reject(failure(404)) }],
  ] satisfies [string, Answers][])("is not offered for %s", async (_, answers) => {
    keepReturnPath(`/join/${COURSE}`);
    const { asked } = await renderApp("/login", answers);
    await waitFor(() => expect(names(asked)).toContain("GuestDoor"));
    await new Promise((done) => setTimeout(done, 50));
    expect(screen.queryByRole("button", { name: "Продолжить без регистрации" })).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("asks nothing of the server when something else opens after signing in", async () => {
    keepReturnPath("/settings");
    const { asked } = await renderApp("/login");
    await screen.findByRole("button", { name: "Войти" });
    expect(asked).toEqual([]);
  });

  test("says in place why it failed", async () => {
    keepReturnPath(`/join/${COURSE}`);
    await renderApp("/login", { ...door(true), StartAsGuest: () => Promise.reject(failure(409)) });
    fireEvent.click(await screen.findByRole("button", { name: "Продолжить без регистрации" }));
    expect((await screen.findByRole("alert")).textContent).toBe("нельзя");
    expect(token()).toBe("");
  });

  test("happens at once, without the form, when it was chosen on the page", async () => {
    comeFromPage();
    const { asked, router } = await renderApp(`/join/${COURSE}?guest=1`, {
      StartAsGuest: () => ({ startAsGuest: started }),
    });
    await waitFor(() => expect(router.state.location.pathname).toBe(`/view-course/${COURSE}`));
    expect(names(asked).filter((name) => name === "StartAsGuest")).toHaveLength(1);
  });

  test("a link from elsewhere starts nothing by itself", async () => {
    const { asked } = await renderApp(`/join/${COURSE}?guest=1`, door(true));
    await screen.findByRole("button", { name: "Продолжить без регистрации" });
    expect(names(asked)).not.toContain("StartAsGuest");
  });

  test("a failed start can be tried again, and leads to the form", async () => {
    comeFromPage();
    let tries = 0;
    await renderApp(`/join/${COURSE}?guest=1`, {
      ...door(true),
      StartAsGuest: () => {
        tries += 1;
        return Promise.reject(failure(503));
      },
    });
    const heading = await screen.findByRole("heading", { name: "Не удалось начать курс" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    fireEvent.click(screen.getByRole("button", { name: "Повторить" }));
    await waitFor(() => expect(tries).toBe(2));
    fireEvent.click(await screen.findByRole("button", { name: "Войти" }));
    await screen.findByLabelText("Пароль");
    expect(returnPath()).toBe(`/join/${COURSE}?guest=1`);
  });
});

const me = {
  __typename: "User",
  id: "guest",
  email: "guest-1@guest.example",
  fullName: "Гость 1234",
  isSuperuser: false,
};

describe("a guest", () => {
  test("sees the notice on each screen, and returns to it after signing in", async () => {
    storeGuest(GUEST);
    const { router } = await renderApp("/accept-invitation", { Me: () => ({ me }) });
    const notice = await screen.findByRole("complementary", { name: "Вы гость" });
    expect(notice.textContent).toContain("Зарегистрируйтесь, чтобы не потерять прогресс");
    fireEvent.click(within(notice).getByRole("link", { name: "Войти" }));
    await screen.findByLabelText("Пароль");
    expect(router.state.location.pathname).toBe("/login");
    expect(returnPath()).toContain("/accept-invitation");
    expect(document.querySelector("form")?.textContent).toContain("всё, что вы прошли как гость");
    fireEvent.click(screen.getByRole("link", { name: "Продолжить без регистрации" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/accept-invitation"));
  });

  test("has no settings in the menu and no address", async () => {
    storeGuest(GUEST);
    await renderApp("/accept-invitation", { Me: () => ({ me }) });
    const button = await screen.findByRole("button", { name: /Гость 1234/ });
    expect(button.textContent).not.toContain("@");
    fireEvent.click(button);
    const items = within(screen.getByRole("menu")).getAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual(["Выйти"]);
  });

  test.each(["/settings", "/settings/notices", "/import", "/items", "/banks", "/trash"])(
    "reads at %s that it takes an account",
    async (path) => {
      storeGuest(GUEST);
      await renderApp(path, { Me: () => ({ me }) });
      await screen.findByRole("heading", { name: "Нужен аккаунт" });
    },
  );

  test("is asked before signing out, once, and may stay", async () => {
    storeGuest(GUEST);
    const { asked } = await renderApp("/accept-invitation", {
      Me: () => ({ me }),
      Logout: () => ({ logout: { __typename: "LogoutPayload", message: "" } }),
    });
    const button = await screen.findByRole("button", { name: /Гость 1234/ });
    fireEvent.click(button);
    fireEvent.click(screen.getByRole("menuitem", { name: "Выйти" }));
    const dialog = await screen.findByRole("dialog", { name: /потерять прогресс/ });
    fireEvent.click(within(dialog).getByRole("button", { name: "Закрыть" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(isGuest()).toBe(true);
    expect(names(asked)).not.toContain("Logout");
    fireEvent.click(button);
    fireEvent.click(screen.getByRole("menuitem", { name: "Выйти" }));
    const again = await screen.findByRole("dialog", { name: /потерять прогресс/ });
    fireEvent.click(within(again).getByRole("button", { name: "Выйти" }));
    await waitFor(() => expect(token()).toBe(""));
    expect(localStorage.getItem(GUEST_KEY)).toBeNull();
  });

  test("whom the server has deleted reads so on the sign-in screen, once", async () => {
    storeGuest(GUEST);
    endSession();
    await renderApp("/login");
    await screen.findByText(/^Гостевой доступ закончился/);
    expect(localStorage.getItem(GUEST_KEY)).toBeNull();
    fireEvent.change(screen.getByLabelText("Email"), { target: { value: "a" } });
    expect(screen.getByText(/^Гостевой доступ закончился/)).toBeTruthy();
    cleanup();
    await renderApp("/login");
    await screen.findByText("Продолжите с того места, где остановились.");
  });
});

describe("signing in after having been a guest", () => {
  async function signIn(answers: Answers) {
    storeGuest(GUEST);
    keepReturnPath("/accept-invitation");
    vi.stubGlobal("fetch", async () => Response.json({ access_token: ANNA, token_type: "bearer" }));
    const app = await renderApp("/login", answers);
    fireEvent.change(await screen.findByLabelText("Email"), { target: { value: "anna@example.com" } });
    fireEvent.change(screen.getByLabelText("Пароль"), { target: { value: "12345678" } });
    fireEvent.click(screen.getByRole("button", { name: "Войти" }));
    await waitFor(() => expect(app.router.state.location.pathname).toBe("/accept-invitation"));
    return app;
  }
  const merges = (asked: readonly { name: string | undefined }[]) =>
    names(asked).filter((name) => name === "MergeGuest").length;

  test("moves the progress, says so, and forgets the guest and what the cache has of them", async () => {
    localStorage.setItem("quiz-draft:guest:p1", "{}");
    const { asked, client } = await signIn({ MergeGuest: () => merged() });
    await screen.findByText("Прогресс гостя перенесён.");
    expect(asked).toContainEqual({ name: "MergeGuest", variables: { input: { guestToken: GUEST } } });
    expect(merges(asked)).toBe(1);
    expect(token()).toBe(ANNA);
    expect([localStorage.getItem(GUEST_KEY), localStorage.getItem("guest_to_merge")]).toEqual([null, null]);
    expect(JSON.stringify(client.cache.extract())).not.toContain("guest.example");
    // Answers that were not sent belong to the account now.
    expect(localStorage.getItem("quiz-draft:anna:p1")).toBe("{}");
    expect(localStorage.getItem("quiz-draft:guest:p1")).toBeNull();
  });

  test.each([
    [1, "1\u00a0попытка сверх лимита не засчитана."],
    [3, "3\u00a0попытки сверх лимита не засчитаны."],
    [5, "5\u00a0попыток сверх лимита не засчитано."],
  ])("says that %d attempts do not count", async (count, words) => {
    await signIn({ MergeGuest: () => merged(count) });
    const toast = await screen.findByText(/^Прогресс гостя перенесён/);
    expect(toast.textContent?.replaceAll("\u00a0", " ")).toBe(
      `Прогресс гостя перенесён, ${words.replaceAll("\u00a0", " ")}`,
    );
  });

  test("keeps the guest after a failure, and tries again when the connection returns", async () => {
    let isOffline = true;
    const { asked } = await signIn({
      MergeGuest: () => (isOffline ? Promise.reject(new TypeError("offline")) : merged()),
    });
    expect(screen.queryByText("Прогресс гостя перенесён.")).toBeNull();
    expect(localStorage.getItem("guest_to_merge")).not.toBeNull();
    // The next screen has tried again already.
    await waitFor(() => expect(merges(asked)).toBe(2));
    isOffline = false;
    await new Promise((done) => setTimeout(done, 20));
    window.dispatchEvent(new Event("online"));
    await screen.findByText("Прогресс гостя перенесён.");
    expect(localStorage.getItem("guest_to_merge")).toBeNull();
  });

  test.each([400, 422])("forgets a guest whom the server refuses with %d, without a word", async (status) => {
    await signIn({ MergeGuest: () => Promise.reject(failure(status)) });
    expect(localStorage.getItem("guest_to_merge")).toBeNull();
    expect(screen.queryByText(/Прогресс гостя/)).toBeNull();
  });

  test("says nothing when there was nothing to move", async () => {
    await signIn({ MergeGuest: () => merged(0, []) });
    expect(localStorage.getItem("guest_to_merge")).toBeNull();
    expect(screen.queryByText(/Прогресс гостя/)).toBeNull();
  });
});

test("the app moves a guest at its start, with one request for all callers", async () => {
  storeGuest(GUEST);
  storeToken(ANNA);
  const { asked, client } = await renderApp("/accept-invitation", { MergeGuest: () => merged() });
  const { mergeGuest } = await import("./merge");
  await Promise.all([mergeGuest(client), mergeGuest(client)]);
  await screen.findByText("Прогресс гостя перенесён.");
  expect(names(asked).filter((name) => name === "MergeGuest")).toHaveLength(1);
});

test("another account on the same device gets nothing of the guest", async () => {
  storeGuest(GUEST);
  storeToken(ANNA);
  const { claimGuest } = await import("./guestToken");
  claimGuest();
  storeToken(tokenOf("boris"));
  const { asked, client } = await renderApp("/accept-invitation", { MergeGuest: () => merged() });
  const { mergeGuest } = await import("./merge");
  await mergeGuest(client);
  expect(names(asked)).not.toContain("MergeGuest");
});
