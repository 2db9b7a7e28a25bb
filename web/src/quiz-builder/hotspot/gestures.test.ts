import { expect, test } from "vitest";
import type { Zone } from "../../quiz/hotspot/zones";
import { closes, figureAt, figureAtEnd, zoneAt } from "./gestures";

const square: Zone = { id: "a", shape: "rectangle", x: 10, y: 10, width: 20, height: 20 };
const above: Zone = { id: "b", shape: "rectangle", x: 20, y: 20, width: 20, height: 20 };

test("a drag draws a figure between its ends, and a click one of a usual size", () => {
  const draw = { kind: "draw", shape: "rectangle", from: { x: 40, y: 30 } } as const;
  expect(figureAtEnd(draw, { x: 20, y: 50 })).toEqual({
    shape: "rectangle",
    x: 20,
    y: 30,
    width: 20,
    height: 20,
  });
  expect(figureAtEnd(draw, { x: 40.3, y: 30 })).toMatchObject({ x: 32.3, y: 22, width: 16, height: 16 });
  const corner = { kind: "draw", shape: "ellipse", from: { x: 99, y: 1 } } as const;
  expect(figureAtEnd(corner, { x: 99, y: 1 })).toMatchObject({ x: 92, y: 8, radius_x: 8 });
});

test("a zone is moved by as much as the pointer, and resized to it", () => {
  const move = { kind: "move", zone: square, from: { x: 15, y: 15 } } as const;
  expect(figureAt(move, { x: 20, y: 5 })).toMatchObject({ id: "a", x: 15, y: 0, width: 20 });
  const resize = { kind: "resize", zone: square, side: { right: true, bottom: false } } as const;
  expect(figureAt(resize, { x: 50, y: 5 })).toMatchObject({ x: 10, y: 5, width: 40, height: 25 });
});

test("the selected zone is taken first, then the one that lies above", () => {
  const zones = [square, above];
  expect(zoneAt(zones, null, { x: 25, y: 25 })).toBe(above);
  expect(zoneAt(zones, "a", { x: 25, y: 25 })).toBe(square);
  expect(zoneAt(zones, "a", { x: 39, y: 39 })).toBe(above);
  expect(zoneAt(zones, "a", { x: 90, y: 90 })).toBeNull();
});

test("a polygon of three corners is closed at its first corner", () => {
  const corners = [
    { x: 10, y: 10 },
    { x: 30, y: 10 },
    { x: 20, y: 30 },
  ];
  expect(closes(corners, { x: 11, y: 11 })).toBe(true);
  expect(closes(corners, { x: 15, y: 10 })).toBe(false);
  expect(closes(corners.slice(0, 2), { x: 10, y: 10 })).toBe(false);
});
