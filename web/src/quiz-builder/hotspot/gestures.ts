/** What a pointer does on the picture of a hotspot question, as pure rules. */
import { CORNERS_MIN } from "../../limits.generated";
import {
  type Bounds,
  boundsBetween,
  boundsDragged,
  boundsOf,
  type Figure,
  figureIn,
  isOver,
  moved,
  type Point,
  type Shape,
  withBounds,
  withCorner,
  type Zone,
} from "../../quiz/hotspot/zones";

/** A corner of the bounds of a zone. */
export interface Side {
  right: boolean;
  bottom: boolean;
}

export type Gesture =
  | { kind: "draw"; shape: "rectangle" | "ellipse"; from: Point }
  | { kind: "move"; zone: Zone; from: Point }
  | { kind: "resize"; zone: Zone; side: Side }
  /** Drags a corner of a polygon. */
  | { kind: "corner"; zone: Zone & { shape: "polygon" }; index: number };

/** A drag shorter than this, in percent, is a click. */
const CLICK = 1;
/** The size of a zone that a click draws. */
const CLICKED = 16;
/** So close to the first corner, in percent, a click closes a polygon. */
const CLOSE = 2.5;

/** The figure while the pointer is at the point. */
export function figureAt(gesture: Gesture, point: Point): Figure {
  switch (gesture.kind) {
    case "draw":
      return figureIn(gesture.shape, boundsBetween(gesture.from, point));
    case "move":
      return moved(gesture.zone, { x: point.x - gesture.from.x, y: point.y - gesture.from.y });
    case "resize":
      return withBounds(gesture.zone, boundsDragged(boundsOf(gesture.zone), gesture.side, point));
    case "corner":
      return withCorner(gesture.zone, gesture.index, point);
  }
}

/** The figure at the end of the gesture: a click while drawing makes a zone of a usual size around it. */
export function figureAtEnd(gesture: Gesture, point: Point): Figure {
  if (gesture.kind !== "draw") return figureAt(gesture, point);
  const bounds = boundsBetween(gesture.from, point);
  const isClick = bounds.width < CLICK && bounds.height < CLICK;
  return isClick ? figureIn(gesture.shape, around(point)) : figureAt(gesture, point);
}

function around({ x, y }: Point): Bounds {
  const start = (at: number) => Math.min(Math.max(at - CLICKED / 2, 0), 100 - CLICKED);
  return { x: start(x), y: start(y), width: CLICKED, height: CLICKED };
}

/** The zone under the pointer: the selected one first, then the newest. */
export function zoneAt(zones: readonly Zone[], selected: string | null, point: Point): Zone | null {
  const over = zones.filter((zone) => isOver(zone, point));
  return over.find(({ id }) => id === selected) ?? over.at(-1) ?? null;
}

/** Whether a click at the point closes the polygon. */
export function closes(corners: readonly Point[], point: Point): boolean {
  const [first] = corners;
  return (
    corners.length >= CORNERS_MIN &&
    first !== undefined &&
    Math.hypot(first.x - point.x, first.y - point.y) <= CLOSE
  );
}

export type Tool = "select" | Shape;
