import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import type { AnswerFile } from "../files";
import classes from "./Pins.module.css";
import { type NumberedPin, placeId, pointOf } from "./pins";

interface PinnedPictureProps {
  file: AnswerFile;
  /** The pins of all pictures; those of other files are left out. */
  pins: readonly NumberedPin[];
  scope: string;
  active: number | null;
  onOpen: (index: number) => void;
  /** Called with the place of a click, in percent; without it the picture takes no clicks. */
  onPlace?: ((point: { x: number; y: number }) => void) | undefined;
  /** Called with the new place of a point that arrow keys move. */
  onMove?: ((index: number, point: { x: number; y: number }) => void) | undefined;
  /** Shown below the picture, such as a button that adds a point by keyboard. */
  tools?: ReactNode;
  /** Shown in place of a picture that cannot be shown: its address may have expired. */
  fallback?: ReactNode;
}

/** How far an arrow key moves a point, in percent; with Shift. */
const STEP = 1;
const FAR = 10;

/** A picture of an answer with its numbered comments. */
export function PinnedPicture(props: PinnedPictureProps) {
  const { file, pins, scope, active, onOpen, onPlace, onMove, tools, fallback = null } = props;
  const { t } = useTranslation();
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (brokenUrl === file.url) return fallback;
  const place = (event: MouseEvent<HTMLElement>) => {
    if (!onPlace || (event.target as Element).closest("button")) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    onPlace({ x: ((event.clientX - left) / width) * 100, y: ((event.clientY - top) / height) * 100 });
  };
  const move = (event: KeyboardEvent, index: number, { x, y }: { x: number; y: number }) => {
    const step = event.shiftKey ? FAR : STEP;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
      event.key
    ];
    if (!by || !onMove || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onMove(index, { x: x + (by[0] ?? 0), y: y + (by[1] ?? 0) });
  };
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a button beside the picture adds a point by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div className={classes.picture} data-takes={onPlace ? "" : undefined} onClick={place}>
        {/* The name below says what the picture is. */}
        <img src={file.url} alt="" onError={() => setBrokenUrl(file.url)} />
        {pins.map(({ pin, index, number }) => {
          const point = pointOf(pin);
          if (pin.fileId !== file.id || !point) return null;
          return (
            <button
              key={index}
              type="button"
              id={placeId(scope, index)}
              className={classes.point}
              style={{ left: `${point.x}%`, top: `${point.y}%` }}
              data-active={index === active || undefined}
              aria-label={t(onMove ? "quiz.pins.pointMoved" : "quiz.pins.point", {
                number,
                x: Math.round(point.x),
                y: Math.round(point.y),
              })}
              onClick={() => onOpen(index)}
              onKeyDown={(event) => move(event, index, point)}
            >
              {number}
            </button>
          );
        })}
      </div>
      {tools}
    </div>
  );
}
