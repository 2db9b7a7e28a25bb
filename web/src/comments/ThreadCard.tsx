import { useRef } from "react";
import { dateAndTime } from "../editor/dateAndTime";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconCheck } from "../ui/icons";
import { optional } from "../ui/optional";
import { TextSkeleton } from "../ui/Skeletons";
import { CommentLine } from "./CommentLine";
import { Composer } from "./Composer";
import classes from "./Thread.module.css";
import { mayComment, mayEditCourse, mayResolve, nameOf, type Role, type Thread } from "./threads";
import { useSeen } from "./useSeen";
import type { ThreadActions } from "./useThreadActions";

/** Few threads propose a change. */
const SuggestionView = optional(
  () => withTexts(import("./SuggestionView"), "compare").then(({ SuggestionView }) => SuggestionView),
  <TextSkeleton lines={4} />,
);

export interface Reader {
  userId: string;
  courseId: string;
  role: Role;
}

interface Props {
  thread: Thread;
  reader: Reader;
  /** The block in the text; null if its place has gone or the thread is about the whole page. */
  block: number | null;
  isActive: boolean;
  actions: ThreadActions;
  onPlace: () => void;
  onFocus: () => void;
  /** The thread leaves the list. */
  onLeave: () => void;
}

/** A thread: what it is about, its comments, the proposed change, and the answer that is being written. */
export function ThreadCard(props: Props) {
  const { thread, reader, block, isActive, actions, onPlace, onFocus, onLeave } = props;
  const { t, i18n } = useTranslation();
  const { id, anchor, state, suggestion, resolvedAt, resolvedBy, isUnread } = thread;
  const { userId, courseId, role } = reader;
  const comments = thread.comments.filter((comment) => !actions.hidden.has(comment.id));
  const [first] = comments;
  const quote = anchor?.quote || t("comments.noWords");
  const about = anchor ? (block === null ? t("comments.lost", { quote }) : quote) : t("comments.wholePage");
  const isOpen = state === "OPEN";
  const card = useRef<HTMLLIElement>(null);
  const isNew = useSeen(card, isUnread, thread.comments.at(-1)?.id, (commentId) =>
    actions.markRead(id, commentId),
  );
  const mayWrite = mayComment(role);
  return (
    <li
      ref={card}
      id={threadId(id)}
      className={classes.thread}
      tabIndex={-1}
      data-active={isActive || undefined}
      onFocus={onFocus}
      aria-label={t("comments.thread", { name: nameOf(first?.author, t), about })}
    >
      {anchor && block !== null ? (
        <button type="button" className={classes.quote} onClick={onPlace}>
          <span className={classes.quoted}>{quote}</span>
        </button>
      ) : (
        <p className={classes.about}>
          {anchor ? t("comments.placeGone") : t("comments.wholePage")}
          {anchor && <q className={classes.quoted}>{quote}</q>}
        </p>
      )}
      {isNew && <p className={classes.unread}>{t("comments.unread")}</p>}
      {suggestion && (
        <SuggestionView
          suggestion={suggestion}
          mayDecide={mayEditCourse(role) && isOpen}
          isBusy={actions.busy === id}
          onAccept={() => void actions.accept(id).then(onLeave)}
          onReject={() => void actions.reject(id).then(onLeave)}
        />
      )}
      <ol className={classes.comments}>
        {comments.map((comment, at) => (
          <CommentLine
            key={comment.id}
            comment={comment}
            userId={userId}
            courseId={courseId}
            mayWrite={mayWrite}
            mayRemoveAll={mayEditCourse(role)}
            onEdit={(stored) => actions.edit(comment.id, stored)}
            onRemove={() => {
              actions.remove(comment.id);
              if (comments.length === 1) onLeave();
            }}
            onLink={at === 0 ? () => void actions.copyLink(id) : undefined}
          />
        ))}
      </ol>
      {!isOpen && resolvedAt && (
        <p className={classes.resolved}>
          <IconCheck size={16} />
          {t("comments.resolvedBy", {
            name: nameOf(resolvedBy, t),
            time: dateAndTime(resolvedAt, i18n.language, t),
          })}
        </p>
      )}
      {mayWrite && isOpen && (
        <Composer
          userId={userId}
          courseId={courseId}
          draftKey={`answer:${id}`}
          label={t("comments.answerTo", { about })}
          placeholder={t("comments.answer")}
          send={t("comments.sendAnswer")}
          onSend={(stored) => actions.answer(id, stored)}
          isQuiet
        />
      )}
      {mayResolve(role, thread, userId) && (
        <div className={classes.tools}>
          <Button
            variant="subtle"
            size="compact"
            icon={isOpen ? <IconCheck size={16} /> : undefined}
            disabled={actions.busy === id}
            onClick={() => {
              void (isOpen ? actions.resolve(id) : actions.reopen(id));
              onLeave();
            }}
          >
            {t(isOpen ? "comments.resolve" : "comments.reopen")}
          </Button>
        </div>
      )}
    </li>
  );
}

export const threadId = (id: string) => `thread-${id}`;
