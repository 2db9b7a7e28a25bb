import { type RefObject, useMemo, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { usePreview } from "../../preview/context";
import { IconButton } from "../../ui/IconButton";
import { IconContents } from "../../ui/laterIcons";
import type { Page } from "../ReadingPage";
import { FoldButton } from "./FoldButton";
import classes from "./PageTools.module.css";
import { Resumed } from "./Resumed";
import { readingMinutes } from "./readingTime";
import { SectionList } from "./SectionList";
import { SectionsDrawer } from "./SectionsDrawer";
import { type Section, sectionsOf } from "./sections";
import { useCurrentSection } from "./useCurrentSection";

interface Props {
  page: Page;
  content: RefObject<HTMLElement | null>;
  finished: RefObject<boolean>;
  isResumed: boolean;
}

/** What stands around the text of a page: how long it takes to read, its contents, and the button that folds the sidebar. */
export function PageTools({ page, content, finished, isResumed }: Props) {
  const { t } = useTranslation();
  const isInPreview = usePreview() !== null;
  const sections = useMemo(() => sectionsOf(page.content), [page.content]);
  // A quiz or an assignment takes another time than its words tell.
  const minutes = useMemo(
    () => (page.kind === "CONTENT" ? readingMinutes(page.content) : null),
    [page.content, page.kind],
  );
  return (
    <>
      {!isInPreview && <FoldButton />}
      {minutes !== null && <p className={classes.time}>{t("onPage.minutes", { count: minutes })}</p>}
      {sections.length > 0 && <PageContents sections={sections} isInPreview={isInPreview} />}
      {!isInPreview && page.course.enrollment && (
        <Resumed page={page} content={content} finished={finished} isResumed={isResumed} />
      )}
    </>
  );
}

/** In the margin of a wide screen, else behind a button; the style sheet decides which. */
function PageContents({ sections, isInPreview }: { sections: readonly Section[]; isInPreview: boolean }) {
  const { t } = useTranslation();
  const [current, choose] = useCurrentSection(sections);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className={classes.margin} data-preview={isInPreview || undefined}>
        <nav className={classes.contents} aria-label={t("onPage.contents")}>
          <p className={classes.heading} aria-hidden="true">
            {t("onPage.contents")}
          </p>
          <div className={classes.scroll}>
            <SectionList sections={sections} current={current} onChoose={choose} />
          </div>
        </nav>
      </div>
      <IconButton
        className={classes.open}
        data-preview={isInPreview || undefined}
        aria-label={t("onPage.contents")}
        title={t("onPage.contents")}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <IconContents />
      </IconButton>
      {isOpen && (
        <SectionsDrawer
          sections={sections}
          current={current}
          onChoose={choose}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
