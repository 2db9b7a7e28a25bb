import { useApolloClient } from "@apollo/client/react";
import { type ReactNode, useState } from "react";
import { IconPin } from "../announcements/IconPin";
import type { CourseRole } from "../api/schema.generated";
import { isGuest } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { copyText } from "../ui/copyText";
import { IconBell, IconCheck } from "../ui/icons";
import { IconLink, IconLock, IconPage } from "../ui/laterIcons";
import { Menu, type MenuItem } from "../ui/Menu";
import { showToast, toastSuccess } from "../ui/toasts";
import { offerUndo } from "../ui/undo";
import { change, follow } from "./actions";
import type { DiscussionQuery } from "./Discussions.generated";
import classes from "./DiscussionThread.module.css";
import { type Discussion, mayResolve } from "./discussion";
import { MoveDialog } from "./MoveDialog";
import { mayModerate } from "./roles";
import { useDiscussionAction } from "./useDiscussionAction";

interface Props {
  discussion: DiscussionQuery["discussion"];
  role: CourseRole;
  onGone: () => void;
}

/** What can be done with the whole of a discussion. */
export function ThreadTools({ discussion, role, onGone }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [isMoving, setMoving] = useState(false);
  const { id, page, resolvedAt, isPinned, isLocked, follows } = discussion;
  const { isBusy, run } = useDiscussionAction(id, onGone);
  const reopen = () => run(() => change(client, id, { isResolved: false }));
  const resolve = () =>
    run(async () => {
      await change(client, id, { isResolved: true });
      offerUndo(t("discussions.resolvedNow"), () => void reopen());
    });
  const copyLink = async () => {
    const link = new URL(`/view-page/${page.id}?question=${id}`, window.location.origin);
    if (await copyText(link.href)) toastSuccess(t("discussions.linkCopied"));
    else showToast({ kind: "failure", title: t("errors.toastFailure"), text: t("content.copy.failed") });
  };
  const items = (): MenuItem[] => [
    // Guests ask nobody, and get no mails.
    ...(isGuest()
      ? []
      : [
          {
            label: t(`discussions.${follows ? "unfollow" : "follow"}`),
            icon: <IconBell size={18} />,
            onSelect: () =>
              void run(async () => {
                await follow(client, discussion, !follows);
                toastSuccess(t(`discussions.${follows ? "unfollowed" : "followed"}`));
              }),
          },
        ]),
    { label: t("discussions.copyLink"), icon: <IconLink size={18} />, onSelect: () => void copyLink() },
    ...(mayModerate(role)
      ? [
          {
            label: t(`discussions.${isPinned ? "unpin" : "pin"}`),
            icon: <IconPin size={18} />,
            apart: true,
            onSelect: () => void run(() => change(client, id, { isPinned: !isPinned })),
          },
          {
            label: t(`discussions.${isLocked ? "unlock" : "lock"}`),
            icon: <IconLock size={18} />,
            onSelect: () => void run(() => change(client, id, { isLocked: !isLocked })),
          },
          {
            label: t("discussions.move.action"),
            icon: <IconPage size={18} />,
            onSelect: () => setMoving(true),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className={classes.buttons}>
        {mayResolve(discussion, role) && (
          <Button
            variant="subtle"
            size="compact"
            icon={resolvedAt ? undefined : <IconCheck size={16} />}
            disabled={isBusy}
            onClick={() => void (resolvedAt ? reopen() : resolve())}
          >
            {t(`discussions.${resolvedAt ? "reopen" : "resolve"}`)}
          </Button>
        )}
        <Menu label={t("discussions.actions")} items={items} />
      </div>
      {isMoving && (
        <MoveDialog
          courseId={page.course.id}
          pageId={page.id}
          onMove={async (to) => {
            await change(client, id, { pageId: to.id });
            toastSuccess(t("discussions.move.done", { title: to.title }));
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </>
  );
}

interface FactsProps {
  discussion: Discussion;
  /** Whether it had something unread when it was opened. */
  isNew: boolean;
}

/** What a discussion is; nothing for an ordinary one. */
export function ThreadFacts({ discussion, isNew }: FactsProps) {
  const { t } = useTranslation();
  const { audience, resolvedAt, isPinned, isLocked, movedAt } = discussion;
  if (!isNew && !resolvedAt && !isPinned && !isLocked && !movedAt && audience === "COURSE") return null;
  return (
    <p className={classes.facts}>
      {isNew && <Fact kind="new">{t("discussions.unread")}</Fact>}
      {resolvedAt && (
        <Fact kind="solved" icon={<IconCheck size={16} />}>
          {t("discussions.solved")}
        </Fact>
      )}
      {isPinned && <Fact icon={<IconPin size={16} />}>{t("discussions.pinned")}</Fact>}
      {isLocked && <Fact icon={<IconLock size={16} />}>{t("discussions.locked")}</Fact>}
      {audience !== "COURSE" && <Fact>{t(`discussions.audience.${audience}`)}</Fact>}
      {movedAt && <Fact>{t("discussions.moved")}</Fact>}
    </p>
  );
}

interface FactProps {
  kind?: "new" | "solved";
  icon?: ReactNode;
  children: string;
}

function Fact({ kind, icon, children }: FactProps) {
  return (
    <span className={classes.fact} data-kind={kind}>
      {icon}
      {children}
    </span>
  );
}
