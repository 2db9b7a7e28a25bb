import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { MoveMenu } from "./MoveMenu";
import classes from "./StudentsList.module.css";
import type { Group } from "./useGroups";

interface Props {
  /** The number of selected students. */
  count: number;
  groups: readonly Group[];
  onMove: (group: Group | null) => void;
  onNudge: () => void;
  onClear: () => void;
}

/** What can be done with the selected students. */
export function ChosenBar({ count, groups, onMove, onNudge, onClear }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.chosen} aria-label={t("students.groups.chosenLabel")}>
      <span role="status">{t("students.groups.chosen", { count })}</span>
      {groups.length > 0 && (
        <MoveMenu label={t("students.groups.moveChosen")} groups={groups} onMove={onMove}>
          {t("students.groups.moveChosen")}
        </MoveMenu>
      )}
      <Button variant="default" onClick={onNudge}>
        {t("students.nudge.chosen")}
      </Button>
      <Button variant="default" onClick={onClear}>
        {t("students.groups.clear")}
      </Button>
    </fieldset>
  );
}
