import { useState } from "react";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { IconLink } from "../ui/laterIcons";
import { Menu, type MenuItem } from "../ui/Menu";
import type { ThreadCommentFragment } from "./Comments.generated";
import { CommentText } from "./CommentText";
import { Composer } from "./Composer";
import { hasDraft } from "./drafts";
import classes from "./Thread.module.css";
import { nameOf } from "./threads";

interface Props {
  comment: ThreadCommentFragment;
  userId: string;
  courseId: string;
  /** Whether the person may delete what others wrote. */
  mayRemoveAll: boolean;
  mayWrite: boolean;
  onEdit: (stored: string) => Promise<unknown>;
  onRemove: () => void;
  /** Copies the address of the thread; for its first comment. */
  onLink?: (() => void) | undefined;
}

/** A comment with its author, its time and its menu; in its place, the field in which it is changed. */
export function CommentLine(props: Props) {
  const { comment, userId, courseId, mayRemoveAll, mayWrite, onEdit, onRemove, onLink } = props;
  const { t, i18n } = useTranslation();
  const { id, text, createdAt, editedAt, isMine } = comment;
  const draftKey = `edit:${id}` as const;
  // A change that was begun in an earlier visit is shown again.
  const [isEditing, setEditing] = useState(() => isMine && mayWrite && hasDraft(userId, draftKey));
  const name = nameOf(comment.author, t);
  const time = dateAndTime(createdAt, i18n.language, t);
  const items = (): MenuItem[] => [
    ...(isMine && mayWrite
      ? [{ label: t("comments.edit"), icon: <IconPencil size={18} />, onSelect: () => setEditing(true) }]
      : []),
    ...(onLink ? [{ label: t("comments.copyLink"), icon: <IconLink size={18} />, onSelect: onLink }] : []),
    ...((isMine && mayWrite) || mayRemoveAll
      ? [
          {
            label: t("comments.remove"),
            icon: <IconTrash size={18} />,
            danger: true,
            apart: true,
            onSelect: onRemove,
          },
        ]
      : []),
  ];
  const hasItems = (isMine && mayWrite) || mayRemoveAll || onLink !== undefined;
  return (
    <li className={classes.comment}>
      <div className={classes.head}>
        <p className={classes.by}>
          <span className={classes.author}>{name}</span>{" "}
          <time className={classes.time} dateTime={createdAt}>
            {time}
          </time>
          {editedAt && <span className={classes.time}> {t("comments.edited")}</span>}
        </p>
        {hasItems && (
          <Menu label={t("comments.menu", { name, time })} items={items} className={classes.menu} />
        )}
      </div>
      {isEditing ? (
        <Composer
          userId={userId}
          courseId={courseId}
          draftKey={draftKey}
          label={t("comments.editLabel")}
          send={t("comments.save")}
          initial={text}
          autoFocus
          onSend={async (stored) => {
            await onEdit(stored);
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <CommentText text={text} mentions={comment.mentions} />
      )}
    </li>
  );
}
