/**
 * Zones and places on the picture of a hotspot question, as pure rules. Coordinates are percent of the width and the height of the picture, with
 * at most three decimals; a zone lies wholly inside the picture (docs/quizzes.md).
 */

export interface Point {
  x: number;
  y: number;
}

/** The rectangle around a zone. */
export interface Bounds extends Point {
  width: number;
  height: number;
}

export const SHAPES = ["rectangle", "ellipse", "polygon"] as const;
export type Shape = (typeof SHAPES)[number];

export type Figure =
  | ({ shape: "rectangle" } & Bounds)
  /** Around its centre. */
  | ({ shape: "ellipse"; radius_x: number; radius_y: number } & Point)
  | { shape: "polygon"; corners: readonly Point[] };

/** A zone that is right to mark. */
export type Zone = { id: string } & Figure;

/** The smallest width and height that the app gives a zone, in percent. */
export const LEAST = 0.5;
export const FULL = 100;

/** Coordinates are compared and added as whole thousandths, so that sums such as 10.1 + 89.9 stay exact. */
const UNIT = 1000;
const FULL_UNITS = FULL * UNIT;
const toUnits = (percent: number): number => Math.round(percent * UNIT);
const toPercent = (units: number): number => units / UNIT;
const within = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);

/** A coordinate inside the picture that can be stored. */
const coordinate = (value: number): number => toPercent(within(0, toUnits(value), FULL_UNITS));

/** A point inside the picture that can be stored. */
export const pointAt = ({ x, y }: Point): Point => ({ x: coordinate(x), y: coordinate(y) });

/** The point of a click or a touch, to a tenth of a percent. */
export function pointOf(
  { clientX, clientY }: { clientX: number; clientY: number },
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): Point {
  const tenth = (at: number, size: number) =>
    size > 0 ? within(0, Math.round((at / size) * FULL * 10) / 10, FULL) : 0;
  return { x: tenth(clientX - left, width), y: tenth(clientY - top, height) };
}

/** How far an arrow key moves, in percent; farther with Shift. Null for other keys. */
export function stepOf({ key, shiftKey }: { key: string; shiftKey: boolean }): Point | null {
  const step = shiftKey ? 5 : 1;
  switch (key) {
    case "ArrowLeft":
      return { x: -step, y: 0 };
    case "ArrowRight":
      return { x: step, y: 0 };
    case "ArrowUp":
      return { x: 0, y: -step };
    case "ArrowDown":
      return { x: 0, y: step };
    default:
      return null;
  }
}

export function boundsOf(figure: Figure): Bounds {
  switch (figure.shape) {
    case "rectangle":
      return { x: figure.x, y: figure.y, width: figure.width, height: figure.height };
    case "ellipse": {
      const [x, y] = [toUnits(figure.x), toUnits(figure.y)];
      const [radiusX, radiusY] = [toUnits(figure.radius_x), toUnits(figure.radius_y)];
      return {
        x: toPercent(x - radiusX),
        y: toPercent(y - radiusY),
        width: toPercent(2 * radiusX),
        height: toPercent(2 * radiusY),
      };
    }
    case "polygon": {
      const xs = figure.corners.map(({ x }) => toUnits(x));
      const ys = figure.corners.map(({ y }) => toUnits(y));
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      return {
        x: toPercent(left),
        y: toPercent(top),
        width: toPercent(Math.max(...xs) - left),
        height: toPercent(Math.max(...ys) - top),
      };
    }
  }
}

/** The bounds inside the picture that can be stored: not smaller than the least size. */
function fitted({ x, y, width, height }: Bounds): Bounds {
  const along = (at: number, size: number) => {
    const start = within(0, toUnits(at), FULL_UNITS - toUnits(LEAST));
    return [start, within(toUnits(LEAST), toUnits(size), FULL_UNITS - start)] as const;
  };
  const [left, across] = along(x, width);
  const [top, down] = along(y, height);
  return { x: toPercent(left), y: toPercent(top), width: toPercent(across), height: toPercent(down) };
}

/** A figure of the shape that fills the bounds. */
export function figureIn(shape: Shape, given: Bounds): Figure {
  const bounds = fitted(given);
  const { x, y, width, height } = bounds;
  switch (shape) {
    case "rectangle":
      return { shape, ...bounds };
    case "ellipse": {
      // Half of an odd number of thousandths is rounded down, so that the ellipse stays inside.
      const [radiusX, radiusY] = [Math.floor(toUnits(width) / 2), Math.floor(toUnits(height) / 2)];
      return {
        shape,
        x: toPercent(toUnits(x) + radiusX),
        y: toPercent(toUnits(y) + radiusY),
        radius_x: toPercent(radiusX),
        radius_y: toPercent(radiusY),
      };
    }
    case "polygon":
      return {
        shape,
        corners: [
          { x, y },
          { x: coordinate(x + width), y },
          { x: coordinate(x + width), y: coordinate(y + height) },
          { x, y: coordinate(y + height) },
        ],
      };
  }
}

/** The figure with other bounds: a polygon is stretched. */
export function withBounds(figure: Figure, given: Bounds): Figure {
  if (figure.shape !== "polygon") return figureIn(figure.shape, given);
  const from = boundsOf(figure);
  const to = fitted(given);
  const along = (at: number, start: number, size: number, newStart: number, newSize: number) =>
    coordinate(newStart + (size === 0 ? 0 : ((at - start) / size) * newSize));
  return {
    ...figure,
    corners: figure.corners.map(({ x, y }) => ({
      x: along(x, from.x, from.width, to.x, to.width),
      y: along(y, from.y, from.height, to.y, to.height),
    })),
  };
}

/** The figure moved by so much, as far as it stays inside the picture. */
export function moved<F extends Figure>(figure: F, by: Point): F {
  const { x, y, width, height } = boundsOf(figure);
  const along = (delta: number, start: number, size: number) =>
    within(-toUnits(start), toUnits(delta), FULL_UNITS - toUnits(start) - toUnits(size));
  const [dx, dy] = [along(by.x, x, width), along(by.y, y, height)];
  const move = (point: Point): Point => ({
    x: toPercent(toUnits(point.x) + dx),
    y: toPercent(toUnits(point.y) + dy),
  });
  return figure.shape === "polygon"
    ? { ...figure, corners: figure.corners.map(move) }
    : { ...figure, ...move(figure) };
}

/** Whether the pointer is over the figure. Only the server decides what is right. */
export function isOver(figure: Figure, { x, y }: Point): boolean {
  switch (figure.shape) {
    case "rectangle":
      return x >= figure.x && x <= figure.x + figure.width && y >= figure.y && y <= figure.y + figure.height;
    case "ellipse":
      return ((x - figure.x) / figure.radius_x) ** 2 + ((y - figure.y) / figure.radius_y) ** 2 <= 1;
    case "polygon":
      return figure.corners.reduce((isInside, one, index) => {
        const other = figure.corners.at(index - 1) ?? one;
        const crosses =
          one.y > y !== other.y > y && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x;
        return crosses ? !isInside : isInside;
      }, false);
  }
}

/** A polygon with another point in place of a corner. */
export function withCorner(figure: Figure & { shape: "polygon" }, index: number, point: Point): Figure {
  return { ...figure, corners: figure.corners.map((one, at) => (at === index ? pointAt(point) : one)) };
}

/** A polygon with one more corner: in the middle of the side that closes it. */
export function withNewCorner(figure: Figure & { shape: "polygon" }): Figure {
  const [first, last] = [figure.corners[0], figure.corners.at(-1)];
  if (!first || !last) return figure;
  return {
    ...figure,
    corners: [...figure.corners, pointAt({ x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 })],
  };
}

/** The bounds with one of their corners dragged to the point; `right` and `bottom` tell which. */
export function boundsDragged(
  { x, y, width, height }: Bounds,
  { right, bottom }: { right: boolean; bottom: boolean },
  point: Point,
): Bounds {
  return boundsBetween({ x: right ? x : x + width, y: bottom ? y : y + height }, point);
}

/** A point moved by so much inside the picture. */
export const pointMoved = ({ x, y }: Point, by: Point): Point => pointAt({ x: x + by.x, y: y + by.y });

/** The bounds between two points of a drag. */
export const boundsBetween = (one: Point, other: Point): Bounds => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
});

/** The figure in another shape with the same bounds. */
export const inShape = (figure: Figure, shape: Shape): Figure =>
  figure.shape === shape ? figure : figureIn(shape, boundsOf(figure));

/** The bounds of a new zone: in the middle, and each beside the one before. */
export function boundsOfNew(count: number): Bounds {
  const shift = (count % 5) * 6;
  return { x: 24 + shift, y: 24 + shift, width: 24, height: 24 };
}

/** The zones of a question that comes from elsewhere, such as an old attempt; those that cannot be drawn are left out. */
export function readZones(json: unknown): Zone[] {
  return Array.isArray(json) ? json.filter(isZone) : [];
}

function isZone(value: unknown): value is Zone {
  if (typeof value !== "object" || value === null) return false;
  const zone = value as Record<string, unknown>;
  const areNumbers = (...names: string[]) => names.every((name) => typeof zone[name] === "number");
  switch (zone.shape) {
    case "rectangle":
      return areNumbers("x", "y", "width", "height");
    case "ellipse":
      return areNumbers("x", "y", "radius_x", "radius_y");
    case "polygon":
      return Array.isArray(zone.corners) && zone.corners.length > 0 && zone.corners.every(isPoint);
    default:
      return false;
  }
}

export function isPoint(value: unknown): value is Point {
  if (typeof value !== "object" || value === null) return false;
  const { x, y } = value as Partial<Point>;
  return [x, y].every((at) => typeof at === "number" && at >= 0 && at <= FULL);
}
