import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../../testing/startI18n";
import type { Result } from "../model";
import { questions } from "../testing";
import { HotspotReview } from "./HotspotReview";
import { zoneOf } from "./zoneOf";

beforeAll(startI18n);
afterEach(cleanup);

type Zone = Result["zones"][number];
const nothing = { x: null, y: null, width: null, height: null, radiusX: null, radiusY: null, corners: [] };
const zones: Zone[] = [
  { ...nothing, id: "z1", shape: "RECTANGLE", x: 10, y: 20, width: 30, height: 12.25 },
  { ...nothing, id: "z2", shape: "ELLIPSE", x: 50, y: 50, radiusX: 10, radiusY: 12 },
  {
    ...nothing,
    id: "z3",
    shape: "POLYGON",
    corners: [
      { x: 1, y: 2 },
      { x: 30, y: 2 },
      { x: 10, y: 40 },
    ],
  },
];
const places = [
  { x: 12.5, y: 25 },
  { x: 90, y: 90 },
];
const texts = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("each place says whether it is right, and the zones are told in words", () => {
  render(
    <HotspotReview question={questions.hotspot} places={places} zones={zones} rightPlaces={[true, false]} />,
  );
  expect(texts()).toEqual([
    "Отметка 1: 12,5 % слева, 25 % сверху, верно",
    "Отметка 2: 90 % слева, 90 % сверху, мимо",
    "Область 1: от 10 до 40 % слева, от 20 до 32,25 % сверху",
    "Область 2: от 40 до 60 % слева, от 38 до 62 % сверху",
    "Область 3: от 1 до 30 % слева, от 2 до 40 % сверху",
  ]);
  expect(document.querySelectorAll("svg :is(rect, ellipse, polygon)[class]").length).toBe(6);
});

test("without the key there is no verdict", () => {
  render(<HotspotReview question={questions.hotspot} places={places} zones={[]} rightPlaces={[]} />);
  expect(texts()).toEqual(["Отметка 1: 12,5 % слева, 25 % сверху", "Отметка 2: 90 % слева, 90 % сверху"]);
  expect(screen.queryByText("Верные области")).toBeNull();
});

test("without an answer that is told", () => {
  render(<HotspotReview question={questions.hotspot} places={[]} zones={zones} rightPlaces={[]} />);
  expect(screen.getByText("нет ответа")).toBeTruthy();
});

test("a zone without its numbers is not drawn", () => {
  expect(zoneOf({ ...nothing, id: "z", shape: "RECTANGLE", x: 1, y: 1 })).toBeNull();
  expect(zoneOf({ ...nothing, id: "z", shape: "ELLIPSE", radiusX: 1, radiusY: 1 })).toBeNull();
});
