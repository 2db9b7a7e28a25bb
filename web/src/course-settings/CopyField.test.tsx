import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { loadTexts } from "../i18n";
import { startI18n } from "../testing/startI18n";
import { CopyField } from "./CopyField";

beforeAll(async () => {
  await startI18n();
  await loadTexts("courseSettings");
});
afterEach(cleanup);

test("the name of the button has the words that it shows, also after copying", async () => {
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: () => Promise.resolve() } });
  render(<CopyField label="Код" value="ABCD-EFGH" />);
  fireEvent.click(screen.getByRole("button", { name: "Копировать: Код" }));
  const copied = await screen.findByRole("button", { name: "Скопировано: Код" });
  expect(copied.textContent).toBe("Скопировано");
  vi.unstubAllGlobals();
});
