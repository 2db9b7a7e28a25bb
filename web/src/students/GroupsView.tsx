import { useApolloClient, useMutation } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "../api/apiError";
import { CopyField } from "../course-settings/CopyField";
import { shareLink } from "../course-settings/shareLink";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { ExtendDialog } from "../overrides/ExtendDialog";
import { addressOf } from "../preview/address";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { hideItems, showItems } from "../ui/hiddenItems";
import { IconPeople } from "../ui/laterIcons";
import { Menu, type MenuItem } from "../ui/Menu";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { undoable } from "../ui/undo";
import {
  CreateGroupDocument,
  DeleteGroupDocument,
  NewGroupCodeDocument,
  RemoveGroupCodeDocument,
  UpdateGroupDocument,
} from "./Groups.generated";
import classes from "./Groups.module.css";
import { type Group, mayGroup } from "./useGroups";

const EmailsDialog = lazy(() => import("./EmailsDialog"));
const TitleDialog = lazy(() => import("./TitleDialog"));

/** The groups of a course: the owner and teachers change them, other staff read them. */
export function GroupsView({ course, groups }: { course: Course; groups: readonly Group[] | undefined }) {
  const { t } = useTranslation();
  const mayChange = mayGroup(course);
  return (
    <section className={classes.groups} aria-label={t("students.views.groups")}>
      <p className={classes.about}>{t("students.groups.about")}</p>
      {!groups && <ListSkeleton rows={3} height="4.5rem" />}
      {groups?.length === 0 && (
        <EmptyState heading="h2" icon={<IconPeople size={28} />} title={t("students.groups.none")}>
          {t(mayChange ? "students.groups.noneText" : "students.groups.noneReader")}
        </EmptyState>
      )}
      {groups && groups.length > 0 && (
        <ul className={classes.list}>
          {groups.map((group, index) => (
            <GroupRow
              key={group.id}
              course={course}
              group={group}
              mayChange={mayChange}
              isFirst={index === 0}
              isLast={index === groups.length - 1}
            />
          ))}
        </ul>
      )}
      {mayChange && groups && <NewGroup courseId={course.id} />}
    </section>
  );
}

function NewGroup({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const [create] = useMutation(CreateGroupDocument);
  const form = useGuardedForm({
    name: "group",
    subject: courseId,
    defaultValues: { title: "" },
    save: ({ title }) => create({ variables: { input: { courseId, title: title.trim() } } }),
    refusalAt: "title",
    isOnce: true,
    onSaved: (_, { title }) => {
      toastSuccess(t("students.groups.made", { group: title.trim() }));
      form.reset({ title: "" });
    },
  });
  return (
    <form className={classes.create} {...form.props} aria-label={t("students.groups.create")}>
      <TextField
        className={classes.grow}
        label={t("students.groups.title")}
        autoComplete="off"
        {...form.field("title", titleProblem)}
      />
      <Button type="submit" variant="default" loading={form.isBusy}>
        {t("students.groups.create")}
      </Button>
    </form>
  );
}

interface RowProps {
  course: Course;
  group: Group;
  mayChange: boolean;
  isFirst: boolean;
  isLast: boolean;
}

type Open = "title" | "emails" | "renew" | "remove" | "dates" | "attempts";

function GroupRow({ course, group, mayChange, isFirst, isLast }: RowProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [open, setOpen] = useState<Open | null>(null);
  const [update] = useMutation(UpdateGroupDocument, { onError: toastFailure });
  const [generate, { loading: isMakingCode }] = useMutation(NewGroupCodeDocument);
  const [removeCode] = useMutation(RemoveGroupCodeDocument);
  const input = { groupId: group.id };
  const code = group.shareCode;
  const move = (by: number) =>
    void update({ variables: { input: { ...input, position: group.position + by } } });
  const makeCode = async () => {
    await generate({ variables: { input } });
    toastSuccess(t("students.groups.codeMade", { group: group.title }));
  };
  const remove = () => {
    hideItems([group.id]);
    undoable({
      text: t("students.groups.deleted", { group: group.title }),
      undo: () => showItems([group.id]),
      commit: async (leaving) => {
        try {
          const context = { fetchOptions: { keepalive: leaving } };
          await client.mutate({ mutation: DeleteGroupDocument, variables: { input }, context });
        } catch (error) {
          // It was already deleted elsewhere.
          if (ApiError.from(error).status !== 404) throw error;
        }
      },
    });
  };
  const close = () => setOpen(null);
  const overrides: MenuItem[] = [
    { label: t("students.groups.byEmail"), onSelect: () => setOpen("emails") },
    { label: t("overrides.extend"), onSelect: () => setOpen("dates") },
    { label: t("overrides.grant"), onSelect: () => setOpen("attempts") },
  ];
  const preview: MenuItem = {
    label: t("students.preview.asMember"),
    to: addressOf({ courseId: course.id, who: { kind: "group", id: group.id }, at: null }),
  };
  const changes: MenuItem[] = [
    { label: t("students.groups.rename"), onSelect: () => setOpen("title") },
    ...(isFirst ? [] : [{ label: t("students.groups.up"), onSelect: () => move(-1) }]),
    ...(isLast ? [] : [{ label: t("students.groups.down"), onSelect: () => move(1) }]),
    ...(code
      ? [
          { label: t("students.groups.renewCode"), apart: true, onSelect: () => setOpen("renew" as const) },
          { label: t("students.groups.removeCode"), onSelect: () => setOpen("remove" as const) },
        ]
      : []),
    { label: t("students.groups.delete"), danger: true, apart: true, onSelect: remove },
  ];
  return (
    <li className={classes.group}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 className={classes.name}>{group.title}</h2>
          <Link
            to="/edit-course/$courseId"
            params={{ courseId: course.id }}
            search={{ tab: "students", group: group.id }}
            resetScroll={false}
            className={classes.count}
          >
            {t("common.students", { count: group.studentsCount })}
          </Link>
        </div>
        <Menu
          label={t("students.groups.actions", { group: group.title })}
          items={() => (mayChange ? [...overrides, preview, ...changes] : [preview])}
        />
      </div>
      {code ? (
        <div className={classes.codes}>
          <CopyField label={t("students.groups.code")} value={code} />
          <CopyField label={t("courseSettings.share.link")} value={shareLink(window.location.origin, code)} />
        </div>
      ) : (
        mayChange && (
          <Button
            variant="default"
            loading={isMakingCode}
            aria-label={t("students.groups.makeCodeOf", { group: group.title })}
            onClick={() => void makeCode().catch(toastFailure)}
          >
            {t("students.groups.makeCode")}
          </Button>
        )
      )}
      <Suspense fallback={null}>
        {open === "title" && <TitleDialog group={group} onClose={close} />}
        {open === "emails" && <EmailsDialog courseId={course.id} group={group} onClose={close} />}
      </Suspense>
      {(open === "dates" || open === "attempts") && (
        <ExtendDialog
          courseId={course.id}
          target={{ kind: "group", id: group.id, name: group.title }}
          aim={open}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={open === "renew" || open === "remove"}
        onClose={close}
        title={t(open === "renew" ? "students.groups.renewTitle" : "students.groups.removeTitle", {
          group: group.title,
        })}
        confirm={t(open === "renew" ? "students.groups.renewCode" : "students.groups.removeCode")}
        danger
        onConfirm={() => (open === "renew" ? makeCode() : removeCode({ variables: { input } }))}
      >
        <p>{t("students.groups.codeText", { code: code ?? "" })}</p>
      </ConfirmDialog>
    </li>
  );
}
