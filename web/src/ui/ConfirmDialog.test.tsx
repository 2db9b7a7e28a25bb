import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startI18n } from "../testing/startI18n";
import { ConfirmDialog } from "./ConfirmDialog";

beforeAll(startI18n);
afterEach(cleanup);

function show(props: Partial<Parameters<typeof ConfirmDialog>[0]>) {
  const onConfirm = vi.fn(async () => {});
  const onClose = vi.fn();
  render(
    <ConfirmDialog
      open
      title="Удалить курс?"
      confirm="Удалить курс"
      danger
      onConfirm={onConfirm}
      onClose={onClose}
      {...props}
    >
      Его потеряют 12 учеников.
    </ConfirmDialog>,
  );
  return { onConfirm, onClose, button: screen.getByRole("button", { name: "Удалить курс" }) };
}

test("focuses Cancel first, and closes after the confirmed action succeeds", async () => {
  const { onConfirm, onClose, button } = show({});
  expect(document.activeElement?.textContent).toBe("Отмена");
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test("enables the confirmation after the required text is typed", async () => {
  const { onConfirm, button } = show({ typed: "Основы" });
  expect(button).toHaveProperty("disabled", true);
  await userEvent.keyboard("осно{Enter}");
  expect(onConfirm).not.toHaveBeenCalled();
  await userEvent.keyboard("{Backspace>4/}Основы{Enter}");
  expect(onConfirm).toHaveBeenCalledOnce();
});

test("stays open with the error message when the action fails", async () => {
  const onConfirm = vi.fn().mockRejectedValue(new TypeError("Failed to fetch"));
  const { onClose, button } = show({ onConfirm });
  await userEvent.click(button);
  expect(screen.getByRole("alert").textContent).toMatch(/Сервер не отвечает|Нет соединения/);
  expect(onClose).not.toHaveBeenCalled();
  expect(button).toHaveProperty("disabled", false);
});
