import { useMutation, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconButton } from "../ui/IconButton";

import { Section } from "../ui/Section";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CopyField } from "./CopyField";
import {
  CourseTeamDocument,
  InviteCollaboratorDocument,
  type InviteCollaboratorMutation,
  RemoveCollaboratorDocument,
  type Team_MemberFragment,
} from "./CourseSettings.generated";
import classes from "./Team.module.css";

const ROLES = ["EDITOR", "REVIEWER", "TEACHER"] as const;
type Role = (typeof ROLES)[number];

/** The team of a course; the owner invites members, changes roles and removes members. */
export function Team({ course }: { course: Course }) {
  const { t } = useTranslation();
  const owner = course.myRole === "OWNER";
  const { data, error, refetch } = useQuery(CourseTeamDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  const members = data?.course.collaborators;
  const reload = () => void refetch();
  // The links of invitations made here, by address: a server without SMTP mails none of them.
  const [links, setLinks] = useState<ReadonlyMap<string, string>>(new Map());
  const invited = ({ inviteCollaborator: { link, collaborator } }: InviteCollaboratorMutation) => {
    if (link) setLinks((before) => new Map(before).set(collaborator.email, link));
    const isKnown = members?.some(({ email, state }) => email === collaborator.email && state === "PENDING");
    const made = isKnown ? "replaced" : "created";
    const text = collaborator.state === "ACCEPTED" ? "roleChanged" : link ? made : "sent";
    toastSuccess(t(`courseSettings.team.${text}`, { email: collaborator.email }));
    reload();
  };
  return (
    <Section title={t("courseSettings.team.heading")} text={t("courseSettings.team.text")}>
      <ul className={classes.list}>
        <li className={classes.member}>
          <div className={classes.person}>
            <p className={classes.name}>{course.owner.fullName ?? course.owner.email}</p>
            {course.owner.fullName && <p className={classes.dim}>{course.owner.email}</p>}
          </div>
          <span className={classes.dim}>{t("home.role.OWNER")}</span>
        </li>
        {members?.map((member) => (
          <Member
            key={member.id}
            course={course}
            member={member}
            owner={owner}
            link={member.state === "PENDING" ? links.get(member.email) : undefined}
            invited={invited}
            changed={reload}
          />
        ))}
      </ul>
      {!data && (
        <QueryState
          error={error}
          retry={reload}
          heading="p"
          loading={<ListSkeleton rows={2} height="3rem" />}
        />
      )}
      {owner && <Invite courseId={course.id} invited={invited} />}
    </Section>
  );
}

interface MemberProps {
  course: Course;
  member: Team_MemberFragment;
  owner: boolean;
  /** The link of the invitation, when the server does not mail it. */
  link: string | undefined;
  invited: (answer: InviteCollaboratorMutation) => void;
  changed: () => void;
}

function Member({ course, member, owner, link, invited, changed }: MemberProps) {
  const { t, i18n } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [invite, { loading }] = useMutation(InviteCollaboratorDocument, { onError: toastFailure });
  const [remove] = useMutation(RemoveCollaboratorDocument);
  const name = member.fullName ?? member.email;
  const accepted = member.state === "ACCEPTED";
  const setRole = async (role: Role) => {
    const { data } = await invite({
      variables: { input: { courseId: course.id, email: member.email, role } },
    });
    if (data) invited(data);
  };
  return (
    <li className={classes.member}>
      <div className={classes.person}>
        <p className={classes.name}>{name}</p>
        <p className={classes.dim}>
          {member.fullName && <span>{member.email}</span>}
          {!accepted && (
            <span className={classes.state} data-expired={member.state === "EXPIRED" || undefined}>
              {member.state === "EXPIRED"
                ? t("courseSettings.team.expired")
                : t("courseSettings.team.pending", {
                    when: formatDateTime(member.expiresAt ?? member.since, new Date(), i18n.language, t),
                  })}
            </span>
          )}
        </p>
      </div>
      {owner ? (
        <div className={classes.tools}>
          {!accepted && (
            <Button
              variant="default"
              className={classes.again}
              loading={loading}
              onClick={() => void setRole(member.role)}
            >
              {t("courseSettings.team.again")}
            </Button>
          )}
          <Select
            aria-label={t("courseSettings.team.roleOf", { name })}
            value={member.role}
            disabled={loading}
            onChange={(event) => void setRole(event.currentTarget.value as Role)}
            options={ROLES.map((role) => ({ value: role, label: t(`home.role.${role}`) }))}
          />
          <IconButton
            className={classes.remove}
            aria-label={t(accepted ? "courseSettings.team.remove" : "courseSettings.team.withdraw", { name })}
            onClick={() => setAsking(true)}
          >
            <IconTrash size={18} />
          </IconButton>
        </div>
      ) : (
        <span className={classes.dim}>{t(`home.role.${member.role}`)}</span>
      )}
      {link && (
        <div className={classes.link}>
          <CopyField label={t("courseSettings.team.link")} value={link} />
          <p className={classes.dim}>{t("courseSettings.team.linkText")}</p>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t(accepted ? "courseSettings.team.removeTitle" : "courseSettings.team.withdrawTitle", {
          name,
        })}
        confirm={t(accepted ? "courseSettings.team.removeConfirm" : "courseSettings.team.withdrawConfirm")}
        danger
        onConfirm={async () => {
          await remove({ variables: { input: { courseId: course.id, id: member.id } } });
          changed();
        }}
      >
        <p>{t(accepted ? "courseSettings.team.removeText" : "courseSettings.team.withdrawText")}</p>
      </ConfirmDialog>
    </li>
  );
}

interface InviteProps {
  courseId: string;
  invited: (answer: InviteCollaboratorMutation) => void;
}

function Invite({ courseId, invited }: InviteProps) {
  const { t } = useTranslation();
  const [invite] = useMutation(InviteCollaboratorDocument);
  const defaultValues: { email: string; role: Role } = { email: "", role: "EDITOR" };
  const form = useGuardedForm({
    name: "invite",
    subject: courseId,
    defaultValues,
    save: ({ email, role }) => invite({ variables: { input: { courseId, email: email.trim(), role } } }),
    refusalAt: "email",
    isOnce: true,
    onSaved: ({ data }, { role }) => {
      form.reset({ email: "", role });
      if (data) invited(data);
    },
  });
  return (
    <form className={classes.invite} {...form.props} aria-label={t("courseSettings.team.invite")}>
      <TextField
        className={classes.email}
        type="email"
        label={t("courseSettings.team.email")}
        autoComplete="off"
        {...form.field("email", emailProblem)}
      />
      <Select
        label={t("courseSettings.team.role")}
        options={ROLES.map((role) => ({ value: role, label: t(`home.role.${role}`) }))}
        {...form.register("role")}
      />
      <Button type="submit" variant="default" loading={form.isBusy} className={classes.send}>
        {t("courseSettings.team.send")}
      </Button>
      <p className={classes.explained}>{t(`courseSettings.team.about.${form.watch("role")}`)}</p>
    </form>
  );
}
