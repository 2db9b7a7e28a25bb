import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { onSessionEnd, storeToken } from "../api/session";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

interface Person {
  fullName?: string | null;
  isSuperuser?: boolean;
}

/** Renders the shell around a screen without requests of its own. */
async function open({ fullName = "Иванова Анна Петровна", isSuperuser = false }: Person = {}) {
  const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName, isSuperuser };
  const app = await renderApp("/accept-invitation", {
    Me: () => ({ me }),
    Logout: () => ({ logout: { __typename: "LogoutPayload", message: "Вы вышли из системы" } }),
  });
  const button = await screen.findByRole("button", { name: new RegExp(fullName || me.email) });
  return { ...app, button };
}

describe("the user menu", () => {
  test("shows the full name, and the email beneath it", async () => {
    const { button } = await open();
    expect(button.textContent).toMatch(/Иванова Анна Петровна\s*anna@example\.com$/);
  });

  test.each([null, ""])("shows the email alone when the name is %j", async (fullName) => {
    const { button } = await open({ fullName });
    expect(button.textContent?.match(/anna@example\.com/g)).toHaveLength(1);
  });

  test("has «Настройки», which leads to /settings, and «Выйти»", async () => {
    const { button } = await open();
    fireEvent.click(button);
    const [settings, leave, ...more] = within(screen.getByRole("menu")).getAllByRole("menuitem");
    expect([settings?.textContent, leave?.textContent, more]).toEqual(["Настройки", "Выйти", []]);
    expect(settings?.getAttribute("href")).toBe("/settings");
  });

  test("removes the token by «Выйти», and the server ends its session", async () => {
    const { asked, button, router } = await open();
    // main.tsx navigates in the same way.
    const stop = onSessionEnd(() => void router.navigate({ to: "/login" }));
    fireEvent.click(button);
    fireEvent.click(screen.getByRole("menuitem", { name: "Выйти" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(localStorage.getItem("access_token")).toBeNull();
    expect(asked.map(({ name }) => name)).toContain("Logout");
    stop();
  });
});

describe("the list «Меню»", () => {
  const entries = () =>
    within(screen.getByRole("navigation", { name: "Меню" }))
      .getAllByRole("link")
      .map((link) => [link.textContent, link.getAttribute("href")]);

  test("has «Мои курсы» alone for ordinary users", async () => {
    await open();
    expect(entries()).toEqual([["Мои курсы", "/"]]);
  });

  test("has «Администрирование» too for superusers", async () => {
    await open({ isSuperuser: true });
    expect(entries()).toEqual([
      ["Мои курсы", "/"],
      ["Администрирование", "/admin"],
    ]);
  });
});
