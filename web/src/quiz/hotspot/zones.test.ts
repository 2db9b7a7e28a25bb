import { describe, expect, test } from "vitest";
import {
  type Bounds,
  boundsBetween,
  boundsDragged,
  boundsOf,
  boundsOfNew,
  type Figure,
  figureIn,
  inShape,
  isOver,
  isPoint,
  moved,
  pointMoved,
  pointOf,
  readZones,
  SHAPES,
  stepOf,
  withBounds,
  withCorner,
  withNewCorner,
} from "./zones";

/** Pseudo-random numbers of a fixed seed, so that a failure repeats. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
}

const isStored = (value: number) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6;
const numbersOf = (value: unknown): number[] =>
  typeof value === "number"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(numbersOf)
      : [];

/** Checks what the server requires of a zone. */
function expectValid(figure: Figure): void {
  const { x, y, width, height } = boundsOf(figure);
  for (const number of numbersOf(figure)) expect(isStored(number), JSON.stringify(figure)).toBe(true);
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  expect(Math.round((x + width) * 1000)).toBeLessThanOrEqual(100_000);
  expect(Math.round((y + height) * 1000)).toBeLessThanOrEqual(100_000);
  expect(Math.min(width, height)).toBeGreaterThan(0);
}

describe("zones", () => {
  test("any bounds give a valid figure, which stays valid however it is moved, stretched and converted", () => {
    const random = randomFrom(7);
    const anywhere = () => random() * 160 - 30;
    for (let round = 0; round < 300; round += 1) {
      const bounds: Bounds = { x: anywhere(), y: anywhere(), width: anywhere(), height: anywhere() };
      for (const shape of SHAPES) {
        const figure = figureIn(shape, bounds);
        expectValid(figure);
        expectValid(moved(figure, { x: anywhere(), y: anywhere() }));
        expectValid(withBounds(figure, { x: anywhere(), y: anywhere(), width: anywhere(), height: 3 }));
        for (const other of SHAPES) expectValid(inShape(figure, other));
      }
    }
  });

  test("a moved figure keeps its size, and stops at the edge of the picture", () => {
    const zone = { shape: "rectangle", x: 80.1, y: 10.2, width: 19.9, height: 12.25 } as const;
    expect(moved(zone, { x: 5, y: -1 })).toEqual({ ...zone, y: 9.2 });
    expect(moved(zone, { x: -1, y: 90 })).toEqual({ ...zone, x: 79.1, y: 87.75 });
    const ellipse = { shape: "ellipse", x: 50, y: 50, radius_x: 10, radius_y: 12.5 } as const;
    expect(moved(ellipse, { x: -100, y: 0.1 })).toEqual({ ...ellipse, x: 10, y: 50.1 });
  });

  test("an ellipse fills its bounds", () => {
    expect(figureIn("ellipse", { x: 10, y: 20, width: 30, height: 5 })).toEqual({
      shape: "ellipse",
      x: 25,
      y: 22.5,
      radius_x: 15,
      radius_y: 2.5,
    });
  });

  test("a polygon is stretched with its bounds", () => {
    const triangle: Figure = {
      shape: "polygon",
      corners: [
        { x: 10, y: 10 },
        { x: 30, y: 10 },
        { x: 20, y: 50 },
      ],
    };
    expect(boundsOf(triangle)).toEqual({ x: 10, y: 10, width: 20, height: 40 });
    expect(withBounds(triangle, { x: 0, y: 10, width: 40, height: 20 })).toEqual({
      shape: "polygon",
      corners: [
        { x: 0, y: 10 },
        { x: 40, y: 10 },
        { x: 20, y: 30 },
      ],
    });
  });

  test("a drag has the same bounds in any direction", () => {
    const bounds = { x: 10, y: 20, width: 30, height: 5 };
    expect(boundsBetween({ x: 10, y: 20 }, { x: 40, y: 25 })).toEqual(bounds);
    expect(boundsBetween({ x: 40, y: 25 }, { x: 10, y: 20 })).toEqual(bounds);
  });

  test("the pointer is over what is inside a figure", () => {
    const corners = [
      { x: 10, y: 10 },
      { x: 50, y: 10 },
      { x: 50, y: 50 },
      { x: 40, y: 20 },
    ];
    const over = (figure: Figure, x: number, y: number) => isOver(figure, { x, y });
    expect(over({ shape: "polygon", corners }, 45, 20)).toBe(true);
    expect(over({ shape: "polygon", corners }, 20, 30)).toBe(false);
    const bounds = { x: 10, y: 10, width: 20, height: 10 };
    expect(over(figureIn("rectangle", bounds), 10, 20)).toBe(true);
    expect(over(figureIn("ellipse", bounds), 10, 20)).toBe(false);
    expect(over(figureIn("ellipse", bounds), 20, 15)).toBe(true);
  });

  test("a dragged corner leaves the opposite one in its place, also when it passes it", () => {
    const bounds = { x: 10, y: 10, width: 20, height: 10 };
    const topLeft = { right: false, bottom: false };
    expect(boundsDragged(bounds, topLeft, { x: 5, y: 15 })).toEqual({ x: 5, y: 15, width: 25, height: 5 });
    expect(boundsDragged(bounds, topLeft, { x: 40, y: 30 })).toEqual({ x: 30, y: 20, width: 10, height: 10 });
  });

  test("a new corner of a polygon stands between the last one and the first", () => {
    const square = figureIn("polygon", { x: 10, y: 10, width: 20, height: 10 });
    if (square.shape !== "polygon") throw new Error("not a polygon");
    const grown = withNewCorner(square);
    expect(grown).toMatchObject({ corners: [...square.corners, { x: 10, y: 15 }] });
    expect(withCorner(square, 0, { x: -5, y: 12 })).toMatchObject({ corners: [{ x: 0, y: 12 }, {}, {}, {}] });
  });

  test("new zones do not cover one another", () => {
    const starts = [0, 1, 2, 3, 4].map((count) => boundsOfNew(count).x);
    expect(new Set(starts).size).toBe(5);
    for (const count of [0, 4, 19]) expectValid(figureIn("rectangle", boundsOfNew(count)));
  });

  test("zones that cannot be drawn are left out", () => {
    const good = { id: "z1", shape: "ellipse", x: 50, y: 50, radius_x: 5, radius_y: 5 };
    const bad = [
      null,
      { shape: "star" },
      { shape: "polygon", corners: [{ x: "1" }] },
      { shape: "rectangle" },
    ];
    expect(readZones([good, ...bad])).toEqual([good]);
    expect(readZones("none")).toEqual([]);
  });
});

describe("places", () => {
  test("a click is a place in tenths of a percent inside the picture", () => {
    const rect = { left: 100, top: 50, width: 333, height: 200 };
    expect(pointOf({ clientX: 200, clientY: 100 }, rect)).toEqual({ x: 30, y: 25 });
    expect(pointOf({ clientX: 90, clientY: 900 }, rect)).toEqual({ x: 0, y: 100 });
    expect(pointOf({ clientX: 201, clientY: 51 }, rect)).toEqual({ x: 30.3, y: 0.5 });
    expect(pointOf({ clientX: 5, clientY: 5 }, { left: 0, top: 0, width: 0, height: 0 })).toEqual({
      x: 0,
      y: 0,
    });
  });

  test("arrow keys move by one percent, with Shift by five, and not over the edge", () => {
    expect(stepOf({ key: "ArrowLeft", shiftKey: false })).toEqual({ x: -1, y: 0 });
    expect(stepOf({ key: "ArrowDown", shiftKey: true })).toEqual({ x: 0, y: 5 });
    expect(stepOf({ key: "a", shiftKey: false })).toBeNull();
    expect(pointMoved({ x: 99.5, y: 0.1 }, { x: 1, y: -1 })).toEqual({ x: 100, y: 0 });
    expect(pointMoved({ x: 0.1, y: 0.2 }, { x: 1, y: 5 })).toEqual({ x: 1.1, y: 5.2 });
  });

  test("only points inside the picture are points", () => {
    expect(isPoint({ x: 0, y: 100 })).toBe(true);
    for (const wrong of [null, {}, { x: 1 }, { x: -1, y: 1 }, { x: 1, y: 101 }, { x: "1", y: 1 }])
      expect(isPoint(wrong)).toBe(false);
  });
});
