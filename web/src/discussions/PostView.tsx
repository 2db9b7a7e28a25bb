import { useApolloClient } from "@apollo/client/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { CourseRole } from "../api/schema.generated";
import { Document } from "../content/Document";
import { dateAndTime } from "../editor/dateAndTime";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { IconCheck, IconEye } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/Menu";
import { optional } from "../ui/optional";
import { toastSuccess } from "../ui/toasts";
import { change, deletePost, moderate, report } from "./actions";
import { EditPostDocument } from "./Discussions.generated";
import { authorOf, type Discussion, mayMark, mayResolve, type Post } from "./discussion";
import { IconFlag } from "./icons";
import { LazyPostEditor } from "./LazyPostEditor";
import classes from "./PostView.module.css";
import { mayModerate } from "./roles";
import { UsefulButton } from "./UsefulButton";
import { useDiscussionAction } from "./useDiscussionAction";

/** Few posts are reported or hidden. */
const ReasonDialog = optional(() =>
  withTexts(import("./ReasonDialog"), "forms").then(({ ReasonDialog }) => ReasonDialog),
);

interface Props {
  post: Post;
  isQuestion?: boolean;
  /** What can be done with the whole discussion, beside what can be done with its question. */
  tools?: ReactNode;
  discussion: Discussion;
  role: CourseRole;
  userId: string;
  /** Called when the discussion goes with the post. */
  onGone: () => void;
}

/** A question or an answer: who wrote it, its text, and what the reader can do with it. */
export function PostView(props: Props) {
  const { post, isQuestion = false, tools, discussion, role, userId, onGone } = props;
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const root = useRef<HTMLDivElement>(null);
  const [isEditing, setEditing] = useState(false);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The closed editor had the focus.
    if (wasEditing.current && !isEditing && document.activeElement === document.body)
      root.current?.querySelector<HTMLElement>("header [aria-haspopup=menu]")?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const [asking, setAsking] = useState<"report" | "hide" | null>(null);
  const { id, body, createdAt, editedAt, hiddenAt, isMine, isAnonymous, author } = post;
  const isAccepted = discussion.acceptedPostId === id;
  const isModerator = mayModerate(role);
  const name = authorOf(post, t);
  const time = dateAndTime(createdAt, i18n.language, t);
  const { isBusy, run } = useDiscussionAction(discussion.id, onGone);
  const mayAccept =
    !isQuestion && !isAccepted && body !== null && hiddenAt === null && mayResolve(discussion, role);
  const items: MenuItem[] = [
    ...(isMine && body !== null && hiddenAt === null && (!discussion.isLocked || role !== "LEARNER")
      ? [
          {
            label: t("discussions.edit"),
            icon: <IconPencil size={18} />,
            onSelect: () => setEditing(true),
          },
        ]
      : []),
    ...(mayMark(post)
      ? [
          {
            label: t("discussions.report"),
            icon: <IconFlag size={18} />,
            onSelect: () => setAsking("report"),
          },
        ]
      : []),
    ...(isModerator && body !== null
      ? [
          hiddenAt
            ? {
                label: t("discussions.show"),
                icon: <IconEye size={18} />,
                onSelect: () => void run(() => moderate(client, id, "SHOW")),
              }
            : {
                label: t("discussions.hide"),
                icon: <IconEye size={18} />,
                onSelect: () => setAsking("hide"),
              },
        ]
      : []),
    ...(body !== null && (isModerator || (isMine && hiddenAt === null))
      ? [
          {
            label: t("discussions.delete"),
            icon: <IconTrash size={18} />,
            danger: true,
            apart: true,
            onSelect: () => {
              const next = afterRemoval(root.current);
              deletePost(client, discussion, post, onGone);
              requestAnimationFrame(() => {
                if (document.activeElement === document.body) next?.focus();
              });
            },
          },
        ]
      : []),
  ];
  return (
    <div
      ref={root}
      className={classes.post}
      data-accepted={isAccepted || undefined}
      data-hidden={hiddenAt || undefined}
    >
      <header className={classes.head}>
        <p className={classes.by}>
          <span className={classes.author}>{name}</span>
          {isMine && <span className={classes.about}>{t("discussions.you")}</span>}
          {isAnonymous && author && (
            <span className={classes.about}>{t("discussions.anonymousToOthers")}</span>
          )}
          {post.byStaff && (
            <span className={classes.staff}>
              {t(isQuestion ? "discussions.staff" : "discussions.staffAnswer")}
            </span>
          )}
          {!isQuestion && post.byAsker && <span className={classes.about}>{t("discussions.asker")}</span>}
          <time className={classes.about} dateTime={createdAt}>
            {time}
          </time>
          {editedAt && <span className={classes.about}>{t("discussions.edited")}</span>}
        </p>
        {items.length > 0 && (
          <Menu
            label={t("discussions.postActions", { name, time })}
            items={() => items}
            className={classes.menu}
          />
        )}
      </header>
      {isAccepted && (
        <p className={classes.solution}>
          <IconCheck size={16} />
          {t("discussions.solution")}
        </p>
      )}
      {hiddenAt && (
        <p className={classes.hidden}>
          {t(post.hiddenBy ? "discussions.hiddenBy" : "discussions.hiddenWhy", {
            name: post.hiddenBy?.fullName || t("discussions.nameless"),
            reason: post.hiddenReason ?? "",
          })}
        </p>
      )}
      {isEditing ? (
        <LazyPostEditor
          userId={userId}
          draftKey={`edit:${id}`}
          label={t("discussions.write.text")}
          placeholder={t("discussions.write.text")}
          submit={t("discussions.write.save")}
          initial={body}
          editedAt={editedAt}
          autoFocus
          onSend={async (changed) => {
            await client.mutate({
              mutation: EditPostDocument,
              variables: { input: { postId: id, body: changed } },
            });
          }}
          onClose={() => setEditing(false)}
          onReopen={() => setEditing(true)}
        />
      ) : body === null ? (
        <p className={classes.deleted}>{t("discussions.deletedText")}</p>
      ) : (
        <div className={classes.text}>
          <Document content={body} atOnce />
        </div>
      )}
      {post.reports.length > 0 && (
        <Reports post={post} isBusy={isBusy} onDismiss={() => run(() => moderate(client, id, "DISMISS"))} />
      )}
      {!isEditing && (body !== null || tools) && (
        <div className={classes.actions}>
          {body !== null && <UsefulButton post={post} />}
          {mayAccept && (
            <Button
              variant="subtle"
              size="compact"
              icon={<IconCheck size={16} />}
              disabled={isBusy}
              onClick={() => void run(() => change(client, discussion.id, { acceptedPostId: id }))}
            >
              {t("discussions.accept")}
            </Button>
          )}
          {tools}
        </div>
      )}
      {asking && (
        <ReasonDialog
          kind={asking}
          postId={id}
          onSend={async (reason) => {
            if (asking === "hide") return moderate(client, id, "HIDE", reason);
            await report(client, id, reason);
            toastSuccess(t("discussions.reported"));
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

/** What takes the focus when a post is removed: the next one of its list, the one before, or what the list belongs to. */
function afterRemoval(post: HTMLElement | null): HTMLElement | null {
  const item = post?.closest("li");
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  if (next instanceof HTMLElement)
    return next.hasAttribute("tabindex") ? next : next.querySelector<HTMLElement>("button");
  const around = item?.parentElement?.closest<HTMLElement>("article, section") ?? null;
  const heading = around?.matches("section") ? around.querySelector<HTMLElement>("h2") : null;
  const target = heading ?? around;
  if (target && !target.hasAttribute("tabindex")) target.tabIndex = -1;
  return target;
}

interface ReportsProps {
  post: Post;
  isBusy: boolean;
  onDismiss: () => void;
}

/** The reports that nobody has settled yet, for those who moderate. */
function Reports({ post, isBusy, onDismiss }: ReportsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.reports}>
      <p className={classes.reportsTitle}>
        <IconFlag size={16} />
        {t("discussions.reports", { count: post.reports.length })}
      </p>
      <ul className={classes.reasons}>
        {post.reports.map(({ by, reason, at }) => (
          <li key={`${by.id}-${at}`}>
            {by.fullName || t("discussions.nameless")}: {reason}
          </li>
        ))}
      </ul>
      <Button variant="default" size="compact" disabled={isBusy} onClick={onDismiss}>
        {t("discussions.dismiss")}
      </Button>
    </div>
  );
}
