import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Layer } from "./Layer";
import type { ShownText } from "./shownText";

beforeEach(() => {
  class Observer {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", Observer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the button stays at the block whose card was closed, when it has the focus", async () => {
  const root = document.createElement("div");
  root.append(
    ...["Один", "Два", "Три"].map((words) =>
      Object.assign(document.createElement("p"), { textContent: words }),
    ),
  );
  const text = {
    root,
    count: () => 3,
    wordsOf: (block: number) => root.children[block]?.textContent ?? "",
    blockAt: (block: number) => root.children[block] as HTMLElement,
    indexOf: () => null,
  } as unknown as ShownText;
  const texts = {
    mark: () => "mark",
    add: (number: number) => `Спросить о блоке ${number}`,
    addTitle: "",
    chosen: (number: number) => `Блок ${number}`,
  };
  const layer = (active: number | null) => (
    <Layer
      text={text}
      texts={texts}
      kind="questions"
      marks={[]}
      active={active}
      cursor={null}
      onOpen={() => {}}
      onStart={() => {}}
    />
  );
  const { rerender } = render(layer(2));
  screen.getByRole("button", { name: "Спросить о блоке 1" }).focus();
  rerender(layer(null));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Спросить о блоке 3" })).toBe(document.activeElement),
  );
  rerender(layer(1));
  (document.activeElement as HTMLElement).blur();
  rerender(layer(null));
  // The focus is elsewhere, so the button follows the pointer again.
  expect(screen.getByRole("button", { name: "Спросить о блоке 1" })).toBeTruthy();
});
