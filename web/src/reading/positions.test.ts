// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { currentPosition, keepPosition, positionOf, scrollToPosition } from "./positions";

beforeEach(() => localStorage.clear());

/** A column of blocks with these heights and gaps between them, in a window scrolled by `scrolled`. */
function blocks(heights: number[], scrolled: number, gap = 0): HTMLCollection {
  const parent = document.createElement("div");
  let top = -scrolled;
  for (const height of heights) {
    const block = document.createElement("p");
    const box = new DOMRect(0, top, 100, height);
    block.getBoundingClientRect = () => box;
    parent.append(block);
    top += height + gap;
  }
  return parent.children;
}

describe("the stored position", () => {
  it("is stored per page and deleted on request", () => {
    keepPosition("a", { block: 4, part: 0.25 });
    keepPosition("b", { block: 1, part: 0 });
    expect(positionOf("a")).toEqual({ block: 4, part: 0.25 });
    keepPosition("a", null);
    expect(positionOf("a")).toBeNull();
    expect(positionOf("b")).toEqual({ block: 1, part: 0 });
  });

  it("is kept for the most recently read pages when there are too many", () => {
    for (let index = 0; index < 400; index += 1) keepPosition(`page-${index}`, { block: index, part: 0 });
    expect(positionOf("page-0")).toBeNull();
    expect(positionOf("page-399")).toEqual({ block: 399, part: 0 });
  });

  it.each(["not json", "null", "[]", '{"a":"x"}', '{"a":[-1,0]}', '{"a":[1,7]}'])(
    "survives %s in the storage",
    (stored) => {
      localStorage.setItem("reading-positions", stored);
      expect(positionOf("a")).toBeNull();
    },
  );
});

describe("currentPosition", () => {
  it("is the block at the top of the screen and the share above it", () => {
    expect(currentPosition(blocks([100, 200, 300], 200))).toEqual({ block: 1, part: 0.5 });
  });

  it("counts the space below a block as its part", () => {
    expect(currentPosition(blocks([100, 180, 300], 310, 20))).toEqual({ block: 1, part: 0.95 });
  });

  it("is null while the first block is visible", () => {
    expect(currentPosition(blocks([100, 200], 40))).toBeNull();
    expect(currentPosition(blocks([], 0))).toBeNull();
  });
});

describe("scrollToPosition", () => {
  it("returns to a place between two blocks", () => {
    const scrollTo = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
    scrollToPosition(blocks([100, 180, 300], 0, 20), { block: 1, part: 0.95 });
    expect(scrollTo).toHaveBeenCalledWith({ top: 310, behavior: "instant" });
    scrollTo.mockClear();
  });

  it("finds the same text after the heights have changed", () => {
    const scrollTo = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
    scrollToPosition(blocks([150, 300, 450], 0), { block: 1, part: 0.5 });
    expect(scrollTo).toHaveBeenCalledWith({ top: 300, behavior: "instant" });
    scrollTo.mockClear();
    scrollToPosition(blocks([150], 0), { block: 7, part: 0 });
    expect(scrollTo).not.toHaveBeenCalled();
  });
});
