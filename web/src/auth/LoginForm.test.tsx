import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

test("signing in stores the token under access_token and goes to /", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ access_token: "a.b.c", token_type: "bearer" }));
  const { router } = await renderApp("/login");
  fireEvent.change(await screen.findByLabelText("Email"), { target: { value: "anna@example.com" } });
  fireEvent.change(screen.getByLabelText("Пароль"), { target: { value: "12345678" } });
  fireEvent.click(screen.getByRole("button", { name: "Войти" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(localStorage.getItem("access_token")).toBe("a.b.c");
});

test("a wrong password is said in the form, until the next attempt", async () => {
  let wrong = true;
  vi.stubGlobal("fetch", async () =>
    wrong
      ? Response.json({ detail: "Неверный email или пароль" }, { status: 400 })
      : Response.json({ access_token: "a.b.c", token_type: "bearer" }),
  );
  const { router } = await renderApp("/login");
  fireEvent.change(await screen.findByLabelText("Email"), { target: { value: "anna@example.com" } });
  fireEvent.change(screen.getByLabelText("Пароль"), { target: { value: "12345678" } });
  fireEvent.click(screen.getByRole("button", { name: "Войти" }));
  const form = document.querySelector("form") as HTMLFormElement;
  await waitFor(() => expect(form.textContent).toContain("Неверный email или пароль"));
  wrong = false;
  fireEvent.click(screen.getByRole("button", { name: "Войти" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
});
