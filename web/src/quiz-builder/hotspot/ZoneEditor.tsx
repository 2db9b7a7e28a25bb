import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { CORNERS_MIN } from "../../limits.generated";
import type { Picture } from "../../quiz/hotspot/picture";
import {
  boundsOf,
  boundsOfNew,
  type Figure,
  figureIn,
  moved,
  type Point,
  SHAPES,
  stepOf,
  type Zone,
} from "../../quiz/hotspot/zones";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import type { Tool } from "./gestures";
import { IconEllipse, IconPolygon, IconRectangle, IconSelect, IconUndo } from "./icons";
import { useZones } from "./useZones";
import { ZoneCanvas } from "./ZoneCanvas";
import classes from "./ZoneEditor.module.css";
import { ZoneList } from "./ZoneList";

const TOOLS: readonly Tool[] = ["select", ...SHAPES];
const ICONS = { select: IconSelect, rectangle: IconRectangle, ellipse: IconEllipse, polygon: IconPolygon };

interface ZoneEditorProps {
  picture: Picture;
  zones: readonly Zone[];
  /** Changes the zones as they are at that time. */
  onEdit: (change: (zones: readonly Zone[]) => Zone[]) => void;
  problem: ReactNode;
}

/** Edits the zones of a picture: by pointer on the picture, and by keyboard in the list beside it. */
export function ZoneEditor({ picture, zones: stored, onEdit, problem }: ZoneEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const [tool, setTool] = useState<Tool>(stored.length === 0 ? "rectangle" : "select");
  const [corners, setCorners] = useState<readonly Point[]>([]);
  const [said, setSaid] = useState("");
  const zones = useZones({ zones: stored, onEdit });

  const take = (next: Tool) => {
    setTool(next);
    setCorners([]);
    if (next !== "select") zones.select(null);
  };
  const drawn = (figure: Figure) => {
    zones.add(figure);
    take("select");
  };
  const finish = () => {
    if (corners.length >= CORNERS_MIN) drawn({ shape: "polygon", corners });
  };
  const add = () => {
    const shape = tool === "select" ? "rectangle" : tool;
    flushSync(() => drawn(figureIn(shape, boundsOfNew(stored.length))));
    root.current?.querySelector<HTMLElement>("li:last-child > div > [data-zone]")?.focus();
  };
  const remove = (zone: Zone) => {
    const isOnPicture = document.activeElement === surface.current;
    flushSync(() => zones.remove(zone.id));
    if (isOnPicture) return;
    const next =
      root.current?.querySelector<HTMLElement>("[data-zone][aria-expanded=true]") ??
      root.current?.querySelector<HTMLElement>("[data-tool]");
    next?.focus();
  };
  const undo = (event: KeyboardEvent) => {
    if (!zones.undo) return;
    event.preventDefault();
    zones.undo();
  };
  const onKeyDown = (event: KeyboardEvent, zone: Zone | null) => {
    const isUndo = event.code === "KeyZ" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (isUndo) return undo(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event);
    if (step && zone) {
      event.preventDefault();
      const figure = moved(zone, step);
      zones.select(zone.id);
      zones.change(zone.id, figure);
      const { x, y } = boundsOf(figure);
      setSaid(t("quizBuilder.hotspot.moved", { number: stored.indexOf(zone) + 1, x, y }));
    } else if ((event.key === "Delete" || event.key === "Backspace") && corners.length > 0) {
      event.preventDefault();
      setCorners(corners.slice(0, -1));
    } else if ((event.key === "Delete" || event.key === "Backspace") && zone) {
      event.preventDefault();
      remove(zone);
    } else if (event.key === "Enter" && corners.length > 0) {
      event.preventDefault();
      finish();
    } else if (event.key === "Escape" && (corners.length > 0 || tool !== "select")) {
      event.stopPropagation();
      take("select");
    }
  };
  return (
    // What lacks leads to a button in it.
    <div ref={root} className={classes.editor} data-problem={problem ? "" : undefined}>
      <fieldset className={classes.tools}>
        <legend>
          <VisuallyHidden>{t("quizBuilder.hotspot.tools.label")}</VisuallyHidden>
        </legend>
        {TOOLS.map((one) => {
          const Icon = ICONS[one];
          return (
            <button
              key={one}
              type="button"
              data-tool={one}
              aria-pressed={tool === one}
              aria-label={t(`quizBuilder.hotspot.tools.${one}`)}
              title={t(`quizBuilder.hotspot.tools.${one}`)}
              disabled={one !== "select" && zones.isFull}
              onClick={() => take(one)}
            >
              <Icon size={18} />
              <span aria-hidden="true">{t(`quizBuilder.hotspot.tools.${one}`)}</span>
            </button>
          );
        })}
        <IconButton
          className={classes.undo}
          aria-label={t("ui.undo")}
          title={t("ui.undo")}
          disabled={!zones.undo}
          onClick={() => zones.undo?.()}
        >
          <IconUndo size={18} />
        </IconButton>
      </fieldset>
      <div className={classes.columns}>
        <div className={classes.picture}>
          <ZoneCanvas
            picture={picture}
            zones={zones}
            tool={tool}
            corners={corners}
            onCorners={setCorners}
            onDrawn={drawn}
            onKeyDown={(event) => onKeyDown(event, zones.selected)}
            surface={surface}
          />
          {corners.length > 0 && (
            <p className={classes.unfinished}>
              <span>{t("quizBuilder.hotspot.unfinished")}</span>
              <Button size="compact" disabled={corners.length < CORNERS_MIN} onClick={finish}>
                {t("quizBuilder.hotspot.finish")}
              </Button>
              <Button size="compact" variant="subtle" onClick={() => take("select")}>
                {t("ui.cancel")}
              </Button>
            </p>
          )}
        </div>
        <ZoneList
          zones={{ ...zones, remove: (id) => stored.filter((one) => one.id === id).forEach(remove) }}
          onKeyDown={onKeyDown}
          onAdd={add}
        />
      </div>
      {problem && <p className={classes.problem}>{problem}</p>}
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  );
}
