import { useEffect, useRef } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../../ui/IconButton";
import { IconClose } from "../../ui/icons";
import { SectionList } from "./SectionList";
import classes from "./SectionsDrawer.module.css";
import type { Section } from "./sections";

interface Props {
  sections: readonly Section[];
  current: string | null;
  onChoose: (anchor: string) => void;
  onClose: () => void;
}

/** The contents of the page on a narrow screen: a native modal dialog, from below on a phone and at the side elsewhere. */
export function SectionsDrawer({ sections, current, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is an extra; the keyboard has Escape and the button.
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label={t("onPage.contents")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className={classes.head}>
        <h2 className={classes.title}>{t("onPage.contents")}</h2>
        <IconButton aria-label={t("onPage.close")} onClick={() => dialog.current?.close()}>
          <IconClose />
        </IconButton>
      </div>
      <nav className={classes.list} aria-label={t("onPage.contents")}>
        <SectionList
          sections={sections}
          current={current}
          onChoose={(anchor) => {
            dialog.current?.close();
            onChoose(anchor);
          }}
        />
      </nav>
    </dialog>
  );
}
