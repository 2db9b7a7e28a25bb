import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useDraft } from "./useDraft";

test("each change is reported at once, and its end only if there was a change", () => {
  const keep = vi.fn();
  const { result } = renderHook(() => useDraft<string>("old", { keep }));
  act(() => result.current.startOver());
  expect(keep).not.toHaveBeenCalled();
  act(() => {
    result.current.change("new");
    expect(keep).toHaveBeenLastCalledWith("new");
  });
  act(() => result.current.settle("new"));
  expect(keep).toHaveBeenLastCalledWith(null);
});

test("an undo that was offered before a save changes the saved value", () => {
  const { result, rerender } = renderHook(({ base }) => useDraft(base), { initialProps: { base: "old" } });
  const { edit } = result.current;
  act(() => result.current.change("new"));
  rerender({ base: "new" });
  act(() => result.current.settle("new"));
  act(() => edit((value) => `${value} again`));
  expect(result.current.value).toBe("new again");
});
