import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../../ui/IconButton";
import { IconClose } from "../../ui/icons";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { PictureFrame } from "../hotspot/PictureFrame";
import { pictureOf } from "../hotspot/picture";
import { type Point, pointMoved, pointOf, stepOf } from "../hotspot/zones";
import classes from "./Hotspot.module.css";
import { HotspotNumbers } from "./HotspotNumbers";
import { PlaceMarker } from "./PlaceMarker";
import type { FieldProps } from "./props";

const MIDDLE: Point = { x: 50, y: 50 };
/** Open in the middle, so that what is aimed at stays visible. */
const CROSSHAIR = "M20 2v13M20 25v13M2 20h13M25 20h13M20 20h0";

/** A picture on which places are marked: by a click or a touch, by keyboard with a crosshair, or by numbers. */
export function Hotspot({ question, answer, onAnswer, disabled, labelledBy }: FieldProps<"HotspotQuestion">) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const { maxPlaces } = question;
  const places = answer?.places ?? [];
  /** Where the keyboard aims; null while it does not. */
  const [aim, setAim] = useState<Point | null>(null);
  const lastAim = useRef(MIDDLE);
  const [said, setSaid] = useState("");
  const picture = pictureOf(question.picture);
  const ids = { hint: `${question.id}-hint`, keys: `${question.id}-keys`, moves: `${question.id}-moves` };

  const nameOf = (index: number, { x, y }: Point) => t("quiz.hotspot.place", { number: index + 1, x, y });
  const put = (index: number, point: Point) => {
    const next = [...places];
    next[index] = point;
    onAnswer({ places: next });
    setSaid(nameOf(index, point));
  };
  const mark = (point: Point) => {
    if (disabled) return;
    if (maxPlaces === 1) put(0, point);
    else if (places.length < maxPlaces) put(places.length, point);
    else setSaid(t("quiz.hotspot.full"));
  };
  const remove = (index: number) => {
    onAnswer({ places: places.filter((_, at) => at !== index) });
    setSaid(t("quiz.hotspot.removed", { number: index + 1 }));
    surface.current?.focus({ preventScroll: true });
  };
  const aimAt = (point: Point) => {
    lastAim.current = point;
    setAim(point);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event);
    if (step) {
      event.preventDefault();
      const next = pointMoved(lastAim.current, step);
      aimAt(next);
      setSaid(t("quiz.hotspot.aim", { ...next }));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (aim) mark(aim);
      else aimAt(lastAim.current);
    } else if (event.key === "Escape" && aim) setAim(null);
  };
  const isFull = places.length >= maxPlaces;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the prompt above names the group
    <div role="group" aria-labelledby={labelledBy} aria-describedby={ids.hint}>
      <div className={classes.hint}>
        <p id={ids.hint}>
          {maxPlaces === 1 ? t("quiz.hotspot.one") : t("quiz.hotspot.many", { count: maxPlaces })}
        </p>
        {!disabled && (
          <p id={ids.keys} className={classes.keys}>
            {t("quiz.hotspot.keys")}
          </p>
        )}
      </div>
      {picture && (
        <PictureFrame ref={frame} picture={picture}>
          <div
            ref={surface}
            role="application"
            tabIndex={disabled ? undefined : 0}
            aria-label={t("quiz.hotspot.surface")}
            aria-describedby={disabled ? undefined : ids.keys}
            aria-disabled={disabled || undefined}
            className={classes.surface}
            data-takes={disabled ? undefined : ""}
            onClick={(event) => {
              const point = pointOf(event, event.currentTarget.getBoundingClientRect());
              setAim(null);
              lastAim.current = point;
              mark(point);
            }}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              if (event.currentTarget.matches(":focus-visible")) setAim(lastAim.current);
            }}
            onBlur={() => setAim(null)}
          />
          {aim && (
            <svg
              className={classes.crosshair}
              style={{ left: `${aim.x}%`, top: `${aim.y}%` }}
              viewBox="0 0 40 40"
              aria-hidden="true"
            >
              <path d={CROSSHAIR} />
              <path d={CROSSHAIR} />
            </svg>
          )}
          {places.map((place, index) => (
            <PlaceMarker
              // biome-ignore lint/suspicious/noArrayIndexKey: places have no ids, and a moved one keeps its number
              key={index}
              number={index + 1}
              place={place}
              frame={frame}
              label={nameOf(index, place)}
              describedBy={ids.moves}
              disabled={disabled}
              onMove={(point) => put(index, point)}
              onRemove={() => remove(index)}
            />
          ))}
        </PictureFrame>
      )}
      <p id={ids.moves} hidden>
        {t("quiz.hotspot.moves")}
      </p>
      <div className={classes.given}>
        {maxPlaces > 1 && (
          <p className={classes.count}>
            {t("quiz.hotspot.count", { used: places.length, count: maxPlaces })}
            {isFull && !disabled && ` ${t("quiz.hotspot.full")}`}
          </p>
        )}
        {places.length > 0 && (
          // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
          <ul role="list" className={classes.places}>
            {places.map((place, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>
                <span>{nameOf(index, place)}</span>
                {!disabled && (
                  <IconButton
                    aria-label={t("quiz.hotspot.remove", { number: index + 1 })}
                    onClick={() => remove(index)}
                  >
                    <IconClose size={16} />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
        )}
        {!disabled && (
          <HotspotNumbers
            places={places}
            onPut={put}
            onAdd={isFull ? null : () => put(places.length, lastAim.current)}
          />
        )}
      </div>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  );
}
