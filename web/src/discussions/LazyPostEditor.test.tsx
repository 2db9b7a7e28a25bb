import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import { LazyPostEditor } from "./LazyPostEditor";

let isBroken = true;
vi.mock("./PostEditor", () => ({
  get PostEditor() {
    if (isBroken) throw new TypeError("Failed to fetch dynamically imported module");
    return () => <p>Редактор</p>;
  },
}));
afterEach(cleanup);

test("an editor that cannot be loaded is said to be so, and can be tried again or given up", async () => {
  const onClose = vi.fn();
  await renderInRouter(
    <LazyPostEditor
      userId="u1"
      draftKey="new:p1"
      label="Ваш вопрос"
      placeholder=""
      submit="Спросить"
      onSend={async () => {}}
      onClose={onClose}
    />,
  );
  expect(await screen.findByRole("alert")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Отмена" }));
  expect(onClose).toHaveBeenCalledOnce();
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Повторить" }));
  expect(await screen.findByText("Редактор")).toBeDefined();
});
