import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { CORNERS_MAX, CORNERS_MIN } from "../../limits.generated";
import shared from "../../quiz/hotspot/Hotspot.module.css";
import { PictureFrame } from "../../quiz/hotspot/PictureFrame";
import type { Picture } from "../../quiz/hotspot/picture";
import { Overlay, ZoneShape } from "../../quiz/hotspot/ZoneShapes";
import { boundsOf, type Figure, type Point, pointOf, type Zone } from "../../quiz/hotspot/zones";
import { closes, figureAt, figureAtEnd, type Gesture, type Side, type Tool, zoneAt } from "./gestures";
import type { Zones } from "./useZones";
import classes from "./ZoneCanvas.module.css";

const SIDES: readonly Side[] = [
  { right: false, bottom: false },
  { right: true, bottom: false },
  { right: false, bottom: true },
  { right: true, bottom: true },
];

interface ZoneCanvasProps {
  picture: Picture;
  zones: Zones;
  tool: Tool;
  /** The corners of a polygon that is being drawn. */
  corners: readonly Point[];
  onCorners: (corners: readonly Point[]) => void;
  /** Called when a zone is drawn. */
  onDrawn: (figure: Figure) => void;
  /** Takes the keys of the selected zone. */
  onKeyDown: (event: KeyboardEvent) => void;
  surface: RefObject<HTMLDivElement | null>;
}

/** The picture with its zones, which a pointer draws, moves and resizes. The list beside it does the same by keyboard. */
export function ZoneCanvas(props: ZoneCanvasProps) {
  const { picture, zones, tool, corners, onCorners, onDrawn, onKeyDown, surface } = props;
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const gesture = useRef<Gesture | null>(null);
  /** The figure of the gesture, which is stored at its end. */
  const [live, setLive] = useState<{ id: string | null; figure: Figure } | null>(null);
  /** Where the pointer is while a polygon is drawn. */
  const [hover, setHover] = useState<Point | null>(null);
  const { selected } = zones;
  const isDrawing = tool !== "select";

  const at = (event: PointerEvent): Point =>
    pointOf(event, frame.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 });
  const begin = (event: PointerEvent<HTMLElement>, next: Gesture) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    gesture.current = next;
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const point = at(event);
    surface.current?.focus({ preventScroll: true });
    if (tool === "polygon") {
      if (closes(corners, point)) onDrawn({ shape: "polygon", corners });
      else if (corners.length < CORNERS_MAX) onCorners([...corners, point]);
    } else if (tool !== "select") begin(event, { kind: "draw", shape: tool, from: point });
    else {
      const zone = zoneAt(zones.zones, selected?.id ?? null, point);
      zones.select(zone?.id ?? null);
      // A touch that starts on an unselected zone may scroll the page.
      if (zone && event.pointerType !== "touch") begin(event, { kind: "move", zone, from: point });
    }
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const now = gesture.current;
    if (now) setLive({ id: now.kind === "draw" ? null : now.zone.id, figure: figureAt(now, at(event)) });
    else if (corners.length > 0) setHover(at(event));
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    const now = gesture.current;
    gesture.current = null;
    setLive(null);
    if (!now) return;
    if (now.kind === "draw") onDrawn(figureAtEnd(now, at(event)));
    // A click without a drag changes nothing.
    else if (live) zones.change(now.zone.id, figureAtEnd(now, at(event)));
  };
  const cancel = () => {
    gesture.current = null;
    setLive(null);
  };
  const figureOf = (zone: Zone): Figure => (live?.id === zone.id ? live.figure : zone);
  const active = selected && figureOf(selected);
  const drawn: Figure | null = live?.id === null ? live.figure : null;
  return (
    <PictureFrame ref={frame} picture={picture}>
      <div
        className={classes.stage}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={cancel}
        onPointerLeave={() => setHover(null)}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
        <div
          ref={surface}
          tabIndex={-1}
          className={classes.surface}
          data-tool={tool}
          data-surface=""
          onPointerDown={press}
          onKeyDown={(event) => {
            if (event.key === "Escape" && gesture.current) {
              event.stopPropagation();
              cancel();
            } else onKeyDown(event);
          }}
        />
        <Overlay>
          {zones.zones.map((zone) => (
            <ZoneShape key={zone.id} figure={figureOf(zone)} isActive={zone.id === selected?.id} />
          ))}
          {drawn && <ZoneShape figure={drawn} isActive />}
          {corners.length > 0 && <Unfinished corners={hover ? [...corners, hover] : corners} />}
        </Overlay>
        {zones.zones.map((zone, index) => {
          const figure = figureOf(zone);
          const { x, y } = numberAt(figure);
          // The handles of the corners are there.
          if (figure.shape === "polygon" && zone.id === selected?.id) return null;
          return (
            <span
              key={zone.id}
              className={classes.number}
              data-shape={figure.shape}
              style={{ left: `${x}%`, top: `${y}%` }}
              aria-hidden="true"
            >
              {index + 1}
            </span>
          );
        })}
        {corners.map(({ x, y }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: corners are only added and removed at the end
            key={index}
            className={classes.corner}
            data-closes={(index === 0 && corners.length >= CORNERS_MIN) || undefined}
            style={{ left: `${x}%`, top: `${y}%` }}
            aria-hidden="true"
          />
        ))}
        {selected && active && !isDrawing && (
          <>
            <Grip figure={active} onPress={(event) => event.button === 0 && grab(event, selected)} />
            {active.shape === "polygon"
              ? active.corners.map(({ x, y }, index) => (
                  <Handle
                    // biome-ignore lint/suspicious/noArrayIndexKey: corners have no ids
                    key={index}
                    x={x}
                    y={y}
                    cursor="move"
                    onPress={(event) =>
                      selected.shape === "polygon" && begin(event, { kind: "corner", zone: selected, index })
                    }
                  />
                ))
              : SIDES.map((side) => {
                  const { x, y, width, height } = boundsOf(active);
                  return (
                    <Handle
                      key={`${side.right} ${side.bottom}`}
                      x={side.right ? x + width : x}
                      y={side.bottom ? y + height : y}
                      cursor={side.right === side.bottom ? "nwse-resize" : "nesw-resize"}
                      onPress={(event) => begin(event, { kind: "resize", zone: selected, side })}
                    />
                  );
                })}
          </>
        )}
        {isDrawing && zones.zones.length === 0 && corners.length === 0 && !live && (
          <p className={classes.hint}>{t(`quizBuilder.hotspot.draw.${tool}`)}</p>
        )}
      </div>
    </PictureFrame>
  );

  function grab(event: PointerEvent<HTMLElement>, zone: Zone): void {
    const point = at(event);
    surface.current?.focus({ preventScroll: true });
    // Another zone may lie over the bounds of the selected one.
    const over = zoneAt(zones.zones, zone.id, point);
    if (over && over.id !== zone.id) zones.select(over.id);
    begin(event, { kind: "move", zone: over ?? zone, from: point });
  }
}

/** Where the number of a zone stands: on its outline. */
function numberAt(figure: Figure): Point {
  if (figure.shape === "ellipse") return { x: figure.x, y: figure.y - figure.radius_y };
  return (figure.shape === "polygon" && figure.corners[0]) || boundsOf(figure);
}

/** The bounds of the selected zone, by which a finger moves it: the page does not scroll there. */
function Grip({ figure, onPress }: { figure: Figure; onPress: (event: PointerEvent<HTMLElement>) => void }) {
  const { x, y, width, height } = boundsOf(figure);
  return (
    <span
      className={classes.grip}
      style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
      data-grip=""
      onPointerDown={onPress}
    />
  );
}

interface HandleProps extends Point {
  cursor: string;
  onPress: (event: PointerEvent<HTMLElement>) => void;
}

function Handle({ x, y, cursor, onPress }: HandleProps) {
  return (
    <span
      className={classes.handle}
      style={{ left: `${x}%`, top: `${y}%`, cursor }}
      data-handle=""
      onPointerDown={(event) => {
        if (event.button === 0) onPress(event);
      }}
    />
  );
}

/** The sides of a polygon that is being drawn. */
function Unfinished({ corners }: { corners: readonly Point[] }) {
  const points = corners.map(({ x, y }) => `${x},${y}`).join(" ");
  return (
    <g>
      <polyline className={shared.halo} points={points} />
      <polyline className={`${shared.line} ${classes.open}`} points={points} />
    </g>
  );
}
