import { type RefObject, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../../ui/IconButton";
import { IconDown, IconUp } from "../../ui/laterIcons";
import type { View } from "./BlockChanges";
import styles from "./PageDiff.module.css";

interface Props {
  /** The element with the changes. */
  root: RefObject<HTMLElement | null>;
  count: number;
  /** How changes are shown; null where there is room for one way only. */
  view: View | null;
  onView: (view: View) => void;
}

/** How many changes there are, and the way from one to the next. */
export function ChangesBar({ root, count, view, onView }: Props) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<{ number: number; total: number } | null>(null);
  const go = (step: 1 | -1) => {
    const frames = [...(root.current?.querySelectorAll<HTMLElement>("[data-change]") ?? [])];
    if (frames.length === 0) return;
    // From where the reader is: after clicks elsewhere this is the place of the last step.
    const from = place ? place.number - 1 : step > 0 ? -1 : frames.length;
    const next = (from + step + frames.length) % frames.length;
    setPlace({ number: next + 1, total: frames.length });
    for (const [at, frame] of frames.entries()) frame.toggleAttribute("data-current", at === next);
    frames[next]?.scrollIntoView({ block: "center" });
  };
  return (
    <div className={styles.bar}>
      <p className={styles.count} role="status">
        {place ? t("compare.place", place) : t("compare.changes", { count })}
      </p>
      <IconButton aria-label={t("compare.previous")} onClick={() => go(-1)}>
        <IconUp size={18} />
      </IconButton>
      <IconButton aria-label={t("compare.next")} onClick={() => go(1)}>
        <IconDown size={18} />
      </IconButton>
      {view && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
        <div className={styles.views} role="group" aria-label={t("compare.view.label")}>
          {(["inline", "columns"] as const).map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
              {t(`compare.view.${one}`)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
