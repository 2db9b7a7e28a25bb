import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import shared from "../hotspot/Hotspot.module.css";
import { type Point, pointMoved, pointOf, stepOf } from "../hotspot/zones";
import classes from "./Hotspot.module.css";

interface PlaceMarkerProps {
  number: number;
  place: Point;
  /** The picture. */
  frame: RefObject<HTMLElement | null>;
  label: string;
  describedBy: string;
  disabled: boolean;
  onMove: (place: Point) => void;
  onRemove: () => void;
}

/** A marked place, which can be dragged, moved by arrow keys, and removed. */
export function PlaceMarker(props: PlaceMarkerProps) {
  const { number, place, frame, label, describedBy, disabled, onMove, onRemove } = props;
  /** Where it is being dragged: the answer changes at the end. */
  const [dragged, setDragged] = useState<Point | null>(null);
  /** From the pointer to the middle of the marker, in pixels. */
  const grip = useRef({ x: 0, y: 0 });
  const { x, y } = dragged ?? place;
  const end = () => {
    if (dragged) onMove(dragged);
    setDragged(null);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (disabled || event.button !== 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    grip.current = { x: left + width / 2 - event.clientX, y: top + height / 2 - event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
    // Not every browser gives a pressed button the focus.
    event.currentTarget.focus({ preventScroll: true });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!frame.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = { clientX: event.clientX + grip.current.x, clientY: event.clientY + grip.current.y };
    const point = pointOf(at, frame.current.getBoundingClientRect());
    // A press alone moves nothing.
    if (dragged || point.x !== place.x || point.y !== place.y) setDragged(point);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event);
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    if (!step && !isRemoval) return;
    event.preventDefault();
    if (step) onMove(pointMoved(place, step));
    else onRemove();
  };
  return (
    <button
      type="button"
      className={`${shared.marker} ${classes.marker}`}
      style={{ left: `${x}%`, top: `${y}%` }}
      data-dragged={dragged ? "" : undefined}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={() => setDragged(null)}
      onKeyDown={onKeyDown}
    >
      {number}
    </button>
  );
}
