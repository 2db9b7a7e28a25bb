import { useTranslation } from "../i18n/useTranslation";
import { IconLock } from "../ui/laterIcons";
import { IconClock, IconOverdue } from "../ui/timeIcons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { nextWording } from "./ahead";
import classes from "./PartTimes.module.css";
import { courseTime, factsOf, factText, type Times } from "./times";
import { useNow } from "./useNow";

const ICONS = {
  opens: IconLock,
  needs: IconLock,
  never: IconLock,
  closed: IconLock,
  due: IconClock,
  overdue: IconOverdue,
};

interface Props {
  times: Times;
  /** The times of the part above, which are shown there. */
  above?: Times | null;
  isDone: boolean;
  /** The time zone of the course. */
  zone: string | null;
  /** The present, for a screen that follows it; without it, the component follows the due date itself. */
  now?: Date;
  /** Shows the time in the zone of the course beside the learner's own, not as a tooltip. */
  inFull?: boolean;
}

/** When a part of a course opens or is due, and whether it is closed or overdue. Nothing without such times. */
export function PartTimes({ times, above = null, isDone, zone, now: present, inFull = false }: Props) {
  const { t, i18n } = useTranslation();
  const own = useNow((now) => (present || isDone ? null : nextWording([times.dueAt], now)));
  const now = present ?? own;
  return factsOf(times, above, isDone, now).map((fact) => {
    const Icon = ICONS[fact.told];
    const there = courseTime(fact.at, zone, now, i18n.language, t);
    return (
      <span key={fact.told} className={classes.times} data-told={fact.told}>
        <Icon size={16} className={classes.icon} />
        <span title={there ?? undefined}>
          {factText(fact, now, i18n.language, t)}
          {there &&
            (inFull ? (
              <span className={classes.there}>{` (${there})`}</span>
            ) : (
              <VisuallyHidden>{` (${there})`}</VisuallyHidden>
            ))}
        </span>
      </span>
    );
  });
}
