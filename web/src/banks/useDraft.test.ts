import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useDraft } from "./useDraft";

test("an undo that was offered before a save changes the saved value", () => {
  const { result, rerender } = renderHook(({ base }) => useDraft(base), { initialProps: { base: "old" } });
  const { edit } = result.current;
  act(() => result.current.change("new"));
  rerender({ base: "new" });
  act(() => result.current.settle("new"));
  act(() => edit((value) => `${value} again`));
  expect(result.current.value).toBe("new again");
});
