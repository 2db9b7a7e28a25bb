import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconUp } from "../../ui/laterIcons";
import { isOwnPlace, ownPlace, scrollToPosition } from "../positions";
import type { Page } from "../ReadingPage";
import { blockInChanged } from "./changedPlace";
import classes from "./Resumed.module.css";
import { useKeptPlace } from "./useKeptPlace";

/** How long the note is shown. */
const SHOWN_MS = 7000;
/** How long a long page may take to render the block of the place. */
const PATIENCE_MS = 2000;

interface Props {
  page: Page;
  content: RefObject<HTMLElement | null>;
  /** Whether the page was read to its end. */
  finished: RefObject<boolean>;
  /** Whether the page has opened at a place where it was left. */
  isResumed: boolean;
}

/** Keeps the place of the reader, and says so when the page opens at one. */
export function Resumed({ page, content, finished, isResumed }: Props) {
  const [isShown, setShown] = useState(isResumed);
  useKeptPlace(page, content, finished);
  useEffect(() => {
    const place = page.course.enrollment?.readingPlace;
    if (place?.pageId !== page.id || isOwnPlace(place.savedAt)) return;
    // Followed once: from now on this device knows better.
    ownPlace(place.savedAt);
    const isStart = place.block === 0 && place.part === 0;
    if (isStart || place.version === page.version || window.location.hash) return;
    const block = blockInChanged(page.content, place);
    if (!block) return;
    const begun = performance.now();
    let frame = 0;
    const look = () => {
      const blocks = content.current?.firstElementChild?.children;
      if (window.scrollY > 0) return;
      if (blocks?.[block]) {
        scrollToPosition(blocks, { block, part: 0 });
        setShown(true);
      } else if (performance.now() - begun < PATIENCE_MS) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [page, content]);
  return isShown && <Note onEnd={() => setShown(false)} />;
}

function Note({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onEnd, SHOWN_MS);
    return () => clearTimeout(timer);
  });
  const toTop = () => {
    onEnd();
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>("article h1")?.focus({ preventScroll: true });
  };
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is pointed at
    <div
      className={classes.note}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <span role="status">{t("onPage.stoppedHere")}</span>
      <button type="button" className={classes.top} onClick={toTop}>
        <IconUp size={16} />
        {t("onPage.toTop")}
      </button>
    </div>
  );
}
