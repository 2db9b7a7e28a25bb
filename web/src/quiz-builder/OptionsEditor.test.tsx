import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { runToastAction, toastStore } from "../ui/toasts";
import { type Choice, isEmptyDocument } from "./model";
import { OptionsEditor } from "./OptionsEditor";

let options: Choice[];
let write: (feedback: unknown) => void;

function Editing() {
  const [now, setNow] = useState<Choice[]>([
    { id: "a", content: said("mut"), correct: true, feedback: said("старый") },
    { id: "b", content: said("let"), correct: false },
  ]);
  options = now;
  write = (feedback) => setNow((all) => all.map((one) => (one.id === "a" ? { ...one, feedback } : one)));
  return (
    <OptionsEditor
      name="q"
      isSingle
      options={now}
      onChange={setNow}
      onEdit={(change) => setNow(change)}
      problemAt={() => null}
    />
  );
}

const field = () => screen.queryByRole("textbox", { name: /^Пояснение/ });
const undo = () => act(async () => void runToastAction(Number(toastStore.get().at(-1)?.id)));

beforeEach(async () => {
  await renderInRouter(<Editing />);
  fireEvent.click(screen.getByRole("button", { name: /^Убрать пояснение/ }));
  expect(field()).toBeNull();
});
afterEach(cleanup);

test("removed feedback comes back, also into a field that was opened since", async () => {
  fireEvent.click(screen.getAllByRole("button", { name: /^Пояснить вариант/ })[0] as Element);
  expect(isEmptyDocument(options[0]?.feedback)).toBe(true);
  await undo();
  expect(options[0]?.feedback).toEqual(said("старый"));
  expect(field()?.textContent).toBe("старый");
});

test("removed feedback does not replace what was written since", async () => {
  act(() => write(said("новый")));
  await undo();
  expect(options[0]?.feedback).toEqual(said("новый"));
  expect(field()?.textContent).toBe("новый");
});
