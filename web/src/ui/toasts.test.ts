import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { startI18n } from "../testing/startI18n";
import { dismissToast, toastFailure, toastStore, toastSuccess } from "./toasts";

beforeAll(startI18n);
afterEach(() => {
  for (const { id } of toastStore.get()) dismissToast(id);
});

function refused(body: unknown) {
  toastFailure(new ApiError({ url: "/api/v1/x", status: 422, statusText: "", body }));
  return toastStore.get().at(-1);
}

describe("a failed call", () => {
  const title = "Что-то пошло не так!";
  test("shows the response's detail", () => {
    expect(refused({ detail: "Нет места" })).toMatchObject({ kind: "failure", title, text: "Нет места" });
  });

  test("shows the first item's msg when the detail is a list", () => {
    const detail = [{ msg: "Не короче 8 символов" }, { msg: "Введите email" }];
    expect(refused({ detail })).toMatchObject({ kind: "failure", title, text: "Не короче 8 символов" });
  });

  test.each([{}, { detail: [] }, "<html>", null])("shows a generic text for the body %j", (body) => {
    expect(refused(body)).toMatchObject({ kind: "failure", title, text: "Что-то пошло не так." });
  });

  test("shows nothing when it was cancelled", () => {
    toastFailure(new DOMException("The operation was aborted", "AbortError"));
    expect(toastStore.get()).toEqual([]);
  });
});

test("a success has its title", () => {
  toastSuccess("Курс создан.");
  expect(toastStore.get().at(-1)).toMatchObject({ kind: "success", title: "Успешно!", text: "Курс создан." });
});
