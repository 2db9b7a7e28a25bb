import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconEye, IconHistory, IconPencil } from "../../ui/icons";
import { SaveState, type SaveStateKind } from "../../ui/SaveState";
import { Presence } from "../live/Presence";
import type { LivePage } from "../live/useLivePage";
import type { PageSaver } from "../PageSaver";
import type { Standing } from "../saving";
import { useSaving } from "../useSaving";
import styles from "./Frame.module.css";
import { PublishSwitch } from "./PublishSwitch";

interface Props {
  breadcrumbs: ReactNode;
  page: { id: string; published: boolean; number: number };
  saver: PageSaver | null;
  live: LivePage;
  isPreview: boolean;
  onPreview: (on: boolean) => void;
  onHistory: () => void;
  title: string;
  titleField: RefObject<HTMLTextAreaElement | null>;
  onTitle: (title: string) => void;
  onLeaveTitle: () => void;
  onSave: () => void;
  banner: ReactNode;
  children: ReactNode;
}

const SHOWN: Record<Standing, SaveStateKind> = {
  saved: "saved",
  saving: "saving",
  offline: "offline",
  conflict: "conflict",
  refused: "failed",
  ended: "unsaved",
};

/** Apart from the frame, because the first letter after each pause changes it and nothing else. */
function Saved({ saver }: { saver: PageSaver | null }) {
  const { standing } = useSaving(saver, ({ standing }) => ({ standing }));
  return <SaveState state={SHOWN[standing]} />;
}

/** What every page has while it is edited, whatever its kind: where it is, what has become of its text, its title, its history. */
export function Frame(props: Props) {
  const { t } = useTranslation();
  const { page, saver, live, isPreview, title } = props;
  const head = useRef<HTMLDivElement>(null);
  // The toolbar stands below this bar, whatever its height.
  useEffect(() => {
    const bar = head.current;
    if (!bar) return;
    const observer = new ResizeObserver(() => {
      const below = bar.offsetHeight + (Number.parseFloat(getComputedStyle(bar).top) || 0);
      bar.parentElement?.style.setProperty("--k-edit-top", `${below}px`);
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, []);
  return (
    <article className={styles.frame}>
      <div ref={head} className={styles.head}>
        <Saved saver={saver} />
        <Presence present={live.present} followed={live.followed} />
        <div className={styles.actions}>
          <PublishSwitch page={page} onBefore={props.onSave} />
          <button type="button" className={styles.action} onClick={props.onHistory}>
            <IconHistory size={18} />
            <span>{t("editor.history.open")}</span>
          </button>
          <button
            type="button"
            className={styles.action}
            aria-pressed={isPreview}
            onClick={() => props.onPreview(!isPreview)}
          >
            {isPreview ? <IconPencil size={18} /> : <IconEye size={18} />}
            <span>{t(isPreview ? "editor.backToEditing" : "editor.preview")}</span>
          </button>
        </div>
      </div>
      <div className={styles.column}>
        {props.breadcrumbs}
        {props.banner}
        {!isPreview && (
          <textarea
            ref={props.titleField}
            className={styles.title}
            rows={1}
            maxLength={255}
            aria-label={t("editor.title")}
            placeholder={t("reading.untitledPage", { number: page.number })}
            value={title}
            onChange={(event) => props.onTitle(event.currentTarget.value.replaceAll("\n", " "))}
            onBlur={props.onSave}
            onKeyDown={(event) => {
              const down = event.key === "ArrowDown" && event.currentTarget.selectionEnd === title.length;
              if ((event.key !== "Enter" && !down) || event.nativeEvent.isComposing) return;
              event.preventDefault();
              props.onLeaveTitle();
            }}
          />
        )}
        {props.children}
      </div>
    </article>
  );
}
