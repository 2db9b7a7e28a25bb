import { useTranslation } from "../../i18n/useTranslation";
import { IconPeople } from "../../ui/laterIcons";
import { initials, type Present, toneOf } from "./others";
import classes from "./Presence.module.css";

/** Further people are shown as a number. */
const SHOWN = 3;

/** The other people who have the page open, by their initials, and the person whose text was shown last. */
export function Presence({ present, followed }: { present: readonly Present[]; followed: string | null }) {
  const { t } = useTranslation();
  const names = present.map(({ name, isSelf }) =>
    isSelf ? t("editor.presence.you") : (name ?? t("editor.presence.nameless")),
  );
  const more = present.length - SHOWN;
  const words = [
    present.length > 0 && t("editor.presence.here", { names: names.join(", ") }),
    followed && t("editor.presence.updated", { name: followed }),
  ]
    .filter(Boolean)
    .join(". ");
  return (
    // Always rendered: screen readers ignore a live region that appears together with its text.
    <div className={classes.presence} role="status" data-empty={words === "" || undefined} title={words}>
      <span className={classes.faces} aria-hidden="true">
        {present.slice(0, SHOWN).map(({ id, name, isSelf }) => (
          <span key={id} className={classes.face} data-tone={toneOf(id)}>
            {isSelf || name === null ? <IconPeople size={14} /> : initials(name)}
          </span>
        ))}
        {more > 0 && <span className={classes.face}>{`+${more}`}</span>}
      </span>
      <span className={classes.words}>{words}</span>
    </div>
  );
}
