import { useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { isNumber } from "../answers";
import { FULL, type Point, pointAt } from "../hotspot/zones";
import classes from "./Hotspot.module.css";
import written from "./Written.module.css";

interface HotspotNumbersProps {
  places: readonly Point[];
  onPut: (index: number, place: Point) => void;
  /** Null when no place can be added. */
  onAdd: (() => void) | null;
}

/** The coordinates of the marked places as numbers. */
export function HotspotNumbers({ places, onPut, onAdd }: HotspotNumbersProps) {
  const { t } = useTranslation();
  return (
    <details className={classes.numbers}>
      <summary>{t("quiz.hotspot.numbers")}</summary>
      {places.map((place, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places have no ids
        <div key={index} className={classes.coordinates}>
          <CoordinateField
            label={t("quiz.hotspot.left", { number: index + 1 })}
            value={place.x}
            onChange={(x) => onPut(index, pointAt({ ...place, x }))}
          />
          <CoordinateField
            label={t("quiz.hotspot.top", { number: index + 1 })}
            value={place.y}
            onChange={(y) => onPut(index, pointAt({ ...place, y }))}
          />
        </div>
      ))}
      {onAdd && (
        <Button variant="default" onClick={onAdd}>
          {t("quiz.hotspot.add")}
        </Button>
      )}
    </details>
  );
}

interface CoordinateFieldProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

/** A coordinate in percent. What is no such number is not taken, and goes when the field is left. */
function CoordinateField({ label, value, onChange }: CoordinateFieldProps) {
  const { i18n } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = value.toLocaleString(i18n.language, { useGrouping: false });
  return (
    <label>
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className={written.input}
        maxLength={20}
        value={typed ?? shown}
        aria-invalid={typed !== null && read(typed) === null}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          const number = read(text);
          if (number !== null) onChange(number);
        }}
      />
    </label>
  );
}

function read(text: string): number | null {
  if (!isNumber(text)) return null;
  const number = Number(text.replace(/\s/g, "").replace("−", "-").replace(",", "."));
  return number >= 0 && number <= FULL ? number : null;
}
