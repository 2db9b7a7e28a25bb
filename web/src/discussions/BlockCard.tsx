import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { isGuest } from "../api/session";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { ListSkeleton } from "../ui/Skeletons";
import { Ask } from "./Ask";
import type { Place, Rules } from "./discussion";
import { OpenEditorButton } from "./OpenEditorButton";
import type { QuestionedPage } from "./page";
import { QuestionList } from "./QuestionList";
import classes from "./Questions.module.css";
import { usePageDiscussions } from "./usePageDiscussions";

interface Props {
  page: QuestionedPage;
  userId: string;
  rules: Rules;
  place: Place;
  /** Whether a question is asked at once. */
  isAsking: boolean;
  /** Number of open questions about the block. */
  openCount: number;
  onClose: () => void;
}

/** The questions about one place of the text, below it, and a new one. */
export function BlockCard({ page, userId, rules, place, isAsking: asksFirst, openCount, onClose }: Props) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const listId = useId();
  const [isAsking, setAsking] = useState(asksFirst);
  const [wasAsking, setWasAsking] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const hasSent = useRef(false);
  // A list that was read stays, although its last question was solved meanwhile.
  const [wasRead, setWasRead] = useState(false);
  const list = usePageDiscussions(page, {
    filter: "OPEN",
    opened,
    rows: 100,
    skip: openCount === 0 && opened === null && !wasRead,
  });
  const here = list.discussions?.filter(({ id, anchor }) => id === opened || anchor?.block === place.block);
  // Those of one block may be anywhere in the list.
  const isPart = list.hasMore && here !== undefined && here.length < openCount;
  const isIncomplete = isPart && !list.isLoadingMore && list.moreError === undefined;
  const loadMore = useEffectEvent(() => void list.more());
  useEffect(() => {
    if (isIncomplete) loadMore();
  }, [isIncomplete]);
  useEffect(() => {
    if (!asksFirst) card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: "nearest" });
  }, [asksFirst]);
  if (here && !isPart && !wasRead) {
    setWasRead(true);
    const [only, second] = here;
    // The only question of a block opens when the list has loaded. Questions that arrive later do not change what is open.
    if (only && !second && opened === null && !isAsking) setOpened(only.id);
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    // A dialog that was opened from the card closes itself alone.
    if (event.target instanceof Element && event.target.closest("dialog")) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={classes.card}
      aria-label={t("discussions.here")}
      onKeyDown={onKeyDown}
    >
      <header className={classes.cardHead}>
        <p className={classes.cardTitle}>{t(isAsking ? "discussions.ask" : "discussions.here")}</p>
        <IconButton aria-label={t("discussions.close")} onClick={onClose}>
          <IconClose size={18} />
        </IconButton>
      </header>
      {isAsking ? (
        <Ask
          page={page}
          userId={userId}
          rules={rules}
          place={place}
          autoFocus
          onSent={(id) => {
            hasSent.current = true;
            setOpened(id);
          }}
          onClose={() => {
            // Nothing else is in the card.
            if (!hasSent.current && openCount === 0) return onClose();
            setAsking(false);
            setWasAsking(true);
          }}
        />
      ) : (
        rules.isOn &&
        !isGuest() && (
          <OpenEditorButton
            label={t("discussions.ask")}
            draft={null}
            isFocused={wasAsking}
            onOpen={() => setAsking(true)}
          />
        )
      )}
      {here && here.length > 0 ? (
        <QuestionList
          listId={listId}
          courseId={page.course.id}
          discussions={here}
          opened={opened}
          onOpen={setOpened}
        />
      ) : list.error ? (
        <LoadFailure error={list.error} retry={list.retry} heading="p" />
      ) : !here ? (
        openCount > 0 && <ListSkeleton rows={1} height="4rem" />
      ) : isPart ? (
        list.moreError === undefined && <ListSkeleton rows={1} height="4rem" />
      ) : (
        !isAsking && <p className={classes.dim}>{t("discussions.empty.here")}</p>
      )}
      {isPart && list.moreError !== undefined && (
        <LoadFailure error={list.moreError} retry={() => void list.more()} heading="p" />
      )}
    </section>
  );
}
