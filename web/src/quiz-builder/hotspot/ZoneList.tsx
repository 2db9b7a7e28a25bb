import type { KeyboardEvent } from "react";
import { useId } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { CORNERS_MAX, CORNERS_MIN } from "../../limits.generated";
import {
  type Bounds,
  boundsOf,
  type Figure,
  FULL,
  inShape,
  LEAST,
  SHAPES,
  type Shape,
  withBounds,
  withCorner,
  withNewCorner,
  type Zone,
} from "../../quiz/hotspot/zones";
import { IconButton } from "../../ui/IconButton";
import { IconClose } from "../../ui/icons";
import { Select } from "../../ui/Select";
import { NumberField } from "../AnswerEditor";
import { AddButton } from "../parts";
import type { Zones } from "./useZones";
import classes from "./ZoneList.module.css";

interface ZoneListProps {
  zones: Zones;
  /** Takes the keys of the selected zone. */
  onKeyDown: (event: KeyboardEvent, zone: Zone) => void;
  onAdd: () => void;
}

/** The zones in words and numbers, by which they are edited without a pointer. */
export function ZoneList({ zones, onKeyDown, onAdd }: ZoneListProps) {
  const { t } = useTranslation();
  const keys = useId();
  const { selected } = zones;
  return (
    <div className={classes.side}>
      {zones.zones.length > 0 && (
        <ol className={classes.list} aria-label={t("quizBuilder.hotspot.zones")}>
          {zones.zones.map((zone, index) => {
            const isSelected = zone.id === selected?.id;
            const name = t("quizBuilder.hotspot.zone", { number: index + 1 });
            return (
              <li key={zone.id} className={classes.zone} data-selected={isSelected || undefined}>
                <div className={classes.head}>
                  <button
                    type="button"
                    className={classes.name}
                    data-zone={zone.id}
                    aria-expanded={isSelected}
                    aria-describedby={keys}
                    onClick={() => zones.select(isSelected ? null : zone.id)}
                    onKeyDown={(event) => onKeyDown(event, zone)}
                  >
                    <span className={classes.number} aria-hidden="true">
                      {index + 1}
                    </span>
                    <span>
                      {name}
                      <span className={classes.shape}>{t(`quizBuilder.hotspot.shapes.${zone.shape}`)}</span>
                    </span>
                  </button>
                  <IconButton
                    className={classes.remove}
                    aria-label={t("quizBuilder.remove", { name })}
                    onClick={() => zones.remove(zone.id)}
                  >
                    <IconClose size={16} />
                  </IconButton>
                </div>
                {isSelected && (
                  <ZoneFields
                    key={zone.shape}
                    name={name}
                    zone={zone}
                    onChange={(figure) => zones.change(zone.id, figure)}
                  />
                )}
              </li>
            );
          })}
        </ol>
      )}
      <p id={keys} className={zones.zones.length > 0 ? classes.keys : classes.none}>
        {t(zones.zones.length > 0 ? "quizBuilder.hotspot.keys" : "quizBuilder.hotspot.none")}
      </p>
      <AddButton disabled={zones.isFull} onClick={onAdd}>
        {t("quizBuilder.hotspot.add")}
      </AddButton>
    </div>
  );
}

interface ZoneFieldsProps {
  name: string;
  zone: Figure;
  onChange: (figure: Figure) => void;
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

function ZoneFields({ name, zone, onChange }: ZoneFieldsProps) {
  const { t } = useTranslation();
  const bounds = boundsOf(zone);
  const put = (part: Partial<Bounds>) => onChange(withBounds(zone, { ...bounds, ...part }));
  const most = {
    x: rounded(FULL - bounds.width),
    y: rounded(FULL - bounds.height),
    width: rounded(FULL - bounds.x),
    height: rounded(FULL - bounds.y),
  };
  return (
    <fieldset className={classes.fields} aria-label={name}>
      <Select
        className={classes.wide}
        label={t("quizBuilder.hotspot.shape")}
        value={zone.shape}
        onChange={(event) => onChange(inShape(zone, event.currentTarget.value as Shape))}
        options={SHAPES.map((shape) => ({ value: shape, label: t(`quizBuilder.hotspot.shapes.${shape}`) }))}
      />
      {(["x", "y", "width", "height"] as const).map((part) => (
        <NumberField
          key={part}
          label={t(`quizBuilder.hotspot.bounds.${part}`)}
          value={bounds[part]}
          min={part === "x" || part === "y" ? 0 : LEAST}
          max={most[part]}
          suffix="%"
          onChange={(value) => value !== null && put({ [part]: value })}
        />
      ))}
      {zone.shape === "polygon" && (
        <details className={classes.wide}>
          <summary>{t("quizBuilder.hotspot.corners", { count: zone.corners.length })}</summary>
          <ol className={classes.corners}>
            {zone.corners.map((corner, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: corners have no ids
              <li key={`${zone.corners.length} ${index}`}>
                {(["x", "y"] as const).map((axis) => (
                  <NumberField
                    key={axis}
                    isLabelHidden
                    label={t(`quizBuilder.hotspot.corner.${axis}`, { number: index + 1 })}
                    value={corner[axis]}
                    min={0}
                    max={FULL}
                    suffix="%"
                    onChange={(value) =>
                      value !== null && onChange(withCorner(zone, index, { ...corner, [axis]: value }))
                    }
                  />
                ))}
                <IconButton
                  className={classes.remove}
                  aria-label={t("quizBuilder.hotspot.removeCorner", { number: index + 1 })}
                  disabled={zone.corners.length <= CORNERS_MIN}
                  onClick={() => onChange({ ...zone, corners: zone.corners.toSpliced(index, 1) })}
                >
                  <IconClose size={16} />
                </IconButton>
              </li>
            ))}
          </ol>
          <AddButton
            disabled={zone.corners.length >= CORNERS_MAX}
            onClick={() => onChange(withNewCorner(zone))}
          >
            {t("quizBuilder.hotspot.addCorner")}
          </AddButton>
        </details>
      )}
    </fieldset>
  );
}
