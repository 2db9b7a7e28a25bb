import type { ZoneShownFragment } from "../QuizState.generated";
import type { Zone } from "./zones";

/** A zone of a result in the form of the rules; null when it cannot be drawn. */
export function zoneOf(zone: ZoneShownFragment): Zone | null {
  const { id, shape, x, y, width, height, radiusX, radiusY, corners } = zone;
  if (shape === "POLYGON") return { id, shape: "polygon", corners };
  if (x === null || y === null) return null;
  if (shape === "RECTANGLE")
    return width === null || height === null ? null : { id, shape: "rectangle", x, y, width, height };
  return radiusX === null || radiusY === null
    ? null
    : { id, shape: "ellipse", x, y, radius_x: radiusX, radius_y: radiusY };
}
