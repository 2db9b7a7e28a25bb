import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { LoadFailure } from "./LoadFailure";
import { NotFoundScreen, NotFoundText } from "./NotFound";
import { SomethingWentWrong } from "./SomethingWentWrong";
import { isScreenLoadError, nameScreenLoadErrors } from "./screenLoading";

beforeAll(startI18n);
afterEach(cleanup);

const show = (ui: React.ReactNode) => renderInRouter(ui);

test("an unknown path shows 404 with a link to the home screen", async () => {
  await show(<NotFoundScreen />);
  expect(screen.getByText("404")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Упс!");
  expect(screen.getByText("Страница, которую вы ищете, не найдена.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Вернуться на главную" }).getAttribute("href")).toBe("/");
});

test("the generic not-found text is shown without a text of the route", async () => {
  await show(<NotFoundText />);
  expect(screen.getByText("Not Found")).toBeTruthy();
});

test("a failed load with status 404 shows the not-found text in its place", async () => {
  const body = { detail: "Курс не найден" };
  const error = new ApiError({ url: "/graphql", status: 404, statusText: "Not Found", body });
  await show(<LoadFailure error={error} retry={() => undefined} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Not Found");
  expect(screen.getByText("Курс не найден")).toBeTruthy();
});

test("the generic error shows and hides its message", async () => {
  await show(<SomethingWentWrong error={new Error("boom")} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Something went wrong!");
  const message = screen.getByText("boom");
  expect(message.hidden).toBe(true);
  const button = screen.getByRole("button", { name: "Сообщение об ошибке" });
  fireEvent.click(button);
  expect(message.hidden).toBe(false);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  fireEvent.click(button);
  expect(message.hidden).toBe(true);
});

describe("a screen that could not be loaded", () => {
  test("raises a preload error event, and differs from other failures", () => {
    nameScreenLoadErrors();
    const payload = new TypeError("Failed to fetch dynamically imported module");
    window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload }));
    expect(isScreenLoadError(payload)).toBe(true);
    expect(payload.message).toBe(
      "This screen could not be loaded: Failed to fetch dynamically imported module",
    );
    expect(isScreenLoadError(new Error("boom"))).toBe(false);
  });
});
