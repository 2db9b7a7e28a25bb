import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef, useState } from "react";
import type { CourseRole } from "../api/schema.generated";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { hiddenItems } from "../ui/hiddenItems";
import { TextSkeleton } from "../ui/Skeletons";
import classes from "./DiscussionThread.module.css";
import type { Discussion } from "./discussion";
import { PostView } from "./PostView";
import { PART, type ShownAnswers } from "./useAnswers";

interface Props {
  answers: ShownAnswers;
  /** The answer that is brought into view. */
  answerId?: string | null | undefined;
  discussion: Discussion;
  role: CourseRole;
  userId: string;
  onGone: () => void;
}

/** The answers to a question, of which a part is on the screen. */
export function Answers({ answers, answerId = null, ...shared }: Props) {
  const { t } = useTranslation();
  const hidden = useSelector(hiddenItems);
  const list = useRef<HTMLOListElement>(null);
  const { replyCount, acceptedPostId } = shared.discussion;
  const { posts, total, earlier, later, moreError, isLoading } = answers;
  const shown = posts?.filter(({ id }) => !hidden.has(id));
  const [sought, setSought] = useState(answerId);
  const [lastAnswerId, setLastAnswerId] = useState(answerId);
  if (answerId !== lastAnswerId) {
    setLastAnswerId(answerId);
    setSought(answerId);
  }
  const isFound = sought !== null && shown?.some(({ id }) => id === sought);
  // It is hidden, or it was deleted.
  if (sought !== null && shown && !isFound && !isLoading) setSought(null);
  useEffect(() => {
    if (!isFound) return;
    const answer = list.current?.querySelector<HTMLElement>(`[data-post="${sought}"]`);
    answer?.focus({ preventScroll: true });
    answer?.scrollIntoView({ block: "start" });
    setSought(null);
  }, [isFound, sought]);
  const seek = (id: string) => {
    if (!posts?.some((post) => post.id === id)) answers.showAt(id);
    setSought(id);
  };
  if (answers.error) return <LoadFailure error={answers.error} retry={answers.retry} heading="p" />;
  if (!shown) return replyCount > 0 ? <TextSkeleton lines={3} /> : null;
  if (shown.length === 0 && earlier === 0 && later === 0) return null;
  const count = total - ((posts?.length ?? 0) - shown.length);
  return (
    <div className={classes.answers}>
      <div className={classes.answersHead}>
        <p className={classes.count}>{t("discussions.answers", { count })}</p>
        {acceptedPostId && acceptedPostId !== shown[0]?.id && !hidden.has(acceptedPostId) && (
          <Button variant="subtle" size="compact" onClick={() => seek(acceptedPostId)}>
            {t("discussions.toSolution")}
          </Button>
        )}
      </div>
      {earlier > 0 && (
        <Button variant="default" size="compact" loading={isLoading} onClick={answers.showEarlier}>
          {t("discussions.earlierAnswers", { count: earlier })}
        </Button>
      )}
      <ol ref={list} className={classes.list} start={earlier + 1}>
        {shown.map((post) => (
          <li key={post.id} data-post={post.id} tabIndex={-1} className={classes.answer}>
            <PostView post={post} {...shared} />
          </li>
        ))}
      </ol>
      {moreError !== undefined && <LoadFailure error={moreError} retry={answers.retry} heading="p" />}
      {later > 0 && (
        <div className={classes.moreAnswers}>
          <Button variant="default" size="compact" loading={isLoading} onClick={answers.showLater}>
            {t("discussions.laterAnswers", { count: later })}
          </Button>
          {later > PART && (
            <Button variant="subtle" size="compact" disabled={isLoading} onClick={answers.showLast}>
              {t("discussions.lastAnswers")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
