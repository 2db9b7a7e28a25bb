import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useSecondClick } from "./useSecondClick";

afterEach(cleanup);

function Page({ onClick }: { onClick: () => void }) {
  useSecondClick();
  return (
    <>
      <a href="/next" onClick={onClick}>
        <span>Дальше</span>
      </a>
      <button type="button" onClick={onClick}>
        Ещё раз
      </button>
    </>
  );
}

test("a link ignores the second click of a double click, and a button does not", () => {
  const onClick = vi.fn();
  const { unmount } = render(<Page onClick={onClick} />);
  const click = (text: string, detail: number) => fireEvent.click(screen.getByText(text), { detail });
  expect(click("Дальше", 2), "the browser does not follow it").toBe(false);
  expect(onClick).not.toHaveBeenCalled();
  expect(click("Дальше", 1)).toBe(true);
  click("Ещё раз", 2);
  expect(onClick).toHaveBeenCalledTimes(2);
  unmount();
});
