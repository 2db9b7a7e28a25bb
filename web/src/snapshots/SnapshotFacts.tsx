import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { Tag } from "../ui/Rows";
import { keptUntil, type Snapshot } from "./snapshot";

/** When a snapshot was taken and by whom, and why, if its name does not say so. */
export function SnapshotFacts({ snapshot }: { snapshot: Snapshot }) {
  const { t, i18n } = useTranslation();
  const { name, reason, takenAt, takenBy, pageCount } = snapshot;
  return (
    <>
      {name !== null && reason !== "NAMED" && <span>{t(`snapshots.reasons.${reason}`)}</span>}
      <span>
        {dateAndTime(takenAt, i18n.language, t)}
        {", "}
        {takenBy ? (takenBy.fullName ?? t("snapshots.someone")) : t("snapshots.nobody")}
      </span>
      <span>{t("common.pages", { count: pageCount })}</span>
    </>
  );
}

/** Until when an automatic snapshot is kept. */
export function KeptUntil({ snapshot }: { snapshot: Snapshot }) {
  const { t, i18n } = useTranslation();
  const day = keptUntil(snapshot, new Date(), i18n.language);
  return day && <Tag quiet>{t("snapshots.keptUntil", { day })}</Tag>;
}
