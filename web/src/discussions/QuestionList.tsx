import { useSelector } from "@tanstack/react-store";
import { useId } from "react";
import { IconPin } from "../announcements/IconPin";
import { IconComment } from "../comments/IconComment";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { hiddenItems } from "../ui/hiddenItems";
import { IconCheck, IconChevron } from "../ui/icons";
import { IconLock } from "../ui/laterIcons";
import { DiscussionThread } from "./DiscussionThread";
import { authorOf, type Discussion, wordsOf } from "./discussion";
import classes from "./QuestionList.module.css";

interface Props {
  /** Makes the DOM IDs of its rows: a question can be in the section and in a card at once. */
  listId: string;
  courseId: string;
  discussions: readonly Discussion[];
  /** The discussion that is open; at most one is. */
  opened: string | null;
  /** The answer to which it opens. */
  answerId?: string | null;
  onOpen: (id: string | null) => void;
  onPlace?: ((block: number) => void) | undefined;
}

/** Questions by their first lines; one of them is open with its answers. */
export function QuestionList(props: Props) {
  const { listId, courseId, discussions, opened, answerId, onOpen, onPlace } = props;
  const hidden = useSelector(hiddenItems);
  return (
    <ul className={classes.list}>
      {discussions
        .filter(({ id }) => !hidden.has(id))
        .map((discussion) => (
          <Row
            key={discussion.id}
            listId={listId}
            courseId={courseId}
            discussion={discussion}
            isOpen={discussion.id === opened}
            answerId={answerId}
            onToggle={() => onOpen(discussion.id === opened ? null : discussion.id)}
            onGone={() => onOpen(null)}
            onPlace={onPlace}
          />
        ))}
    </ul>
  );
}

export const rowId = (listId: string, id: string) => `${listId}-question-${id}`;

interface RowProps extends Pick<Props, "listId" | "courseId" | "answerId" | "onPlace"> {
  discussion: Discussion;
  isOpen: boolean;
  onToggle: () => void;
  onGone: () => void;
}

function Row({ listId, courseId, discussion, isOpen, answerId, onToggle, onGone, onPlace }: RowProps) {
  const { t } = useTranslation();
  const panelId = useId();
  const { id, question, anchor, isUnread } = discussion;
  const words = question.body === null ? t("discussions.deletedText") : wordsOf(question.body) || "…";
  return (
    <li className={classes.row} data-open={isOpen || undefined}>
      <button
        id={rowId(listId, id)}
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        aria-label={isOpen ? t("discussions.collapse") : undefined}
        onClick={onToggle}
      >
        <span className={classes.words}>
          {isOpen ? (
            <span className={classes.fold}>{t("discussions.collapse")}</span>
          ) : (
            <>
              <span className={classes.first} data-unread={isUnread || undefined}>
                {words}
              </span>
              {anchor?.quote && <q className={classes.quote}>{anchor.quote}</q>}
              <Facts discussion={discussion} />
            </>
          )}
        </span>
        <IconChevron size={18} />
      </button>
      {isOpen && (
        <div id={panelId} className={classes.thread}>
          <DiscussionThread
            discussionId={id}
            courseId={courseId}
            answerId={answerId}
            onPlace={onPlace}
            onGone={onGone}
          />
        </div>
      )}
    </li>
  );
}

/** What a closed row says besides the question. */
function Facts({ discussion }: { discussion: Discussion }) {
  const { t, i18n } = useTranslation();
  const {
    question,
    isPinned,
    isLocked,
    isUnread,
    resolvedAt,
    replyCount,
    activeAt,
    audience,
    hasStaffAnswer,
  } = discussion;
  return (
    <span className={classes.facts}>
      {isUnread && <strong className={classes.good}>{t("discussions.unread")}</strong>}
      {isPinned && (
        <span className={classes.fact}>
          <IconPin size={14} />
          {t("discussions.pinned")}
        </span>
      )}
      {resolvedAt && (
        <span className={classes.good}>
          <IconCheck size={14} />
          {t("discussions.solved")}
        </span>
      )}
      {isLocked && (
        <span className={classes.fact}>
          <IconLock size={14} />
          {t("discussions.locked")}
        </span>
      )}
      {question.hiddenAt && <span className={classes.warning}>{t("discussions.hiddenMark")}</span>}
      {audience !== "COURSE" && <span>{t(`discussions.audience.${audience}`)}</span>}
      <span>{authorOf(question, t)}</span>
      <time dateTime={activeAt}>{dateAndTime(activeAt, i18n.language, t)}</time>
      <span className={classes.fact}>
        <IconComment size={14} />
        {replyCount > 0 ? t("discussions.answers", { count: replyCount }) : t("discussions.noAnswers")}
        {hasStaffAnswer && `, ${t("discussions.hasStaffAnswer")}`}
      </span>
    </span>
  );
}
