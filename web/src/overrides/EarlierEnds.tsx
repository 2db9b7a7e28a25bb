import type { Part } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { typedOf } from "../dates/typed";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import type { Ends } from "./ends";
import classes from "./Overrides.module.css";
import { partIdOf } from "./overrides";

interface Props {
  ends: Ends;
  courseId: string;
  parts: readonly Part[];
  zone: string;
  isMoved: boolean;
  onMove: (isMoved: boolean) => void;
}

/** Lists the parts that would end before the new deadline and offers to move their ends. Renders nothing if there are none. */
export function EarlierEnds({ ends: moved, courseId, parts, zone, isMoved, onMove }: Props) {
  const { t, i18n } = useTranslation();
  const ends = moved.earlierEnds.flatMap((end) => {
    const part = parts.find(({ id }) => id === partIdOf(end, courseId));
    return part ? [{ part, until: typedOf(end.availableUntil, zone, i18n.language) }] : [];
  });
  if (ends.length === 0) return null;
  return (
    <div className={classes.ends}>
      <p>{t("overrides.ends.earlier")}</p>
      <ul>
        {ends.map(({ part, until }) => (
          <li key={part.id}>{t("overrides.ends.one", { part: partTitle(part, t), value: until })}</li>
        ))}
      </ul>
      <Checkbox
        label={t("overrides.ends.move", { value: typedOf(moved.deadline, zone, i18n.language) })}
        hint={isMoved ? undefined : t("overrides.ends.stay")}
        checked={isMoved}
        onChange={(event) => onMove(event.currentTarget.checked)}
      />
    </div>
  );
}
