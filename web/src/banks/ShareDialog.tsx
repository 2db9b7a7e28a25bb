import { useMutation, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Dialog } from "../ui/Dialog";
import { IconButton } from "../ui/IconButton";

import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import type { BankSummary } from "./bank";
import classes from "./ShareDialog.module.css";
import {
  BankMembersDocument,
  ShareBankDocument,
  type Sharing_MemberFragment,
  UnshareBankDocument,
} from "./Sharing.generated";

const ROLES = ["EDITOR", "VIEWER"] as const;
type Role = (typeof ROLES)[number];

interface ShareDialogProps {
  bank: Pick<BankSummary, "id" | "title" | "role" | "owner">;
  onClose: () => void;
}

/** Who can use a bank; its owner adds and removes colleagues, and changes their roles. */
export function ShareDialog({ bank, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const isOwner = bank.role === "OWNER";
  const { data, error, refetch } = useQuery(BankMembersDocument, {
    variables: { id: bank.id },
    fetchPolicy: "network-only",
  });
  const members = data?.bank.members;
  return (
    <Dialog open onClose={onClose} title={t("banks.sharing.title", { title: bank.title })}>
      <div className={classes.sharing}>
        {isOwner && <Share bankId={bank.id} />}
        {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
        <ul role="list" className={classes.list} aria-label={t("banks.sharing.members")}>
          <li className={classes.member}>
            <p className={classes.name}>{bank.owner.fullName ?? t("banks.nameless")}</p>
            <span className={classes.dim}>{t("banks.role.OWNER")}</span>
          </li>
          {members?.map((member) => (
            <Member key={member.person.id} bankId={bank.id} member={member} isOwner={isOwner} />
          ))}
        </ul>
        {!members && (
          <QueryState
            error={error}
            retry={() => void refetch().catch(() => undefined)}
            heading="p"
            loading={<ListSkeleton rows={2} height="3.5rem" />}
          />
        )}
        {members?.length === 0 && <p className={classes.dim}>{t("banks.sharing.nobody")}</p>}
      </div>
    </Dialog>
  );
}

interface MemberProps {
  bankId: string;
  member: Sharing_MemberFragment;
  isOwner: boolean;
}

function Member({ bankId, member: { person, role }, isOwner }: MemberProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [share, { loading }] = useMutation(ShareBankDocument, { onError: toastFailure });
  const [unshare] = useMutation(UnshareBankDocument);
  const name = person.fullName ?? person.email;
  return (
    <li className={classes.member}>
      <div className={classes.person}>
        <p className={classes.name}>{name}</p>
        {person.fullName && <p className={classes.dim}>{person.email}</p>}
      </div>
      {isOwner ? (
        <div className={classes.tools}>
          <Select
            aria-label={t("banks.sharing.roleOf", { name })}
            value={role}
            disabled={loading}
            onChange={(event) => {
              const input = { bankId, email: person.email, role: event.currentTarget.value as Role };
              void share({ variables: { input } });
            }}
            options={ROLES.map((one) => ({ value: one, label: t(`banks.role.${one}`) }))}
          />
          <IconButton
            className={classes.remove}
            aria-label={t("banks.sharing.remove", { name })}
            onClick={() => setAsking(true)}
          >
            <IconTrash size={18} />
          </IconButton>
        </div>
      ) : (
        <span className={classes.dim}>{t(`banks.role.${role}`)}</span>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("banks.sharing.removeTitle", { name })}
        confirm={t("banks.sharing.removeConfirm")}
        danger
        onConfirm={() => unshare({ variables: { input: { bankId, userId: person.id } } })}
      >
        <p>{t("banks.sharing.removeText")}</p>
      </ConfirmDialog>
    </li>
  );
}

function Share({ bankId }: { bankId: string }) {
  const { t } = useTranslation();
  const [share] = useMutation(ShareBankDocument);
  const defaultValues: { email: string; role: Role } = { email: "", role: "EDITOR" };
  const form = useGuardedForm({
    name: "bank-share",
    subject: bankId,
    defaultValues,
    save: ({ email, role }) => share({ variables: { input: { bankId, email: email.trim(), role } } }),
    refusalAt: "email",
    isOnce: true,
    onSaved: (_, { email, role }) => {
      form.reset({ email: "", role });
      toastSuccess(t("banks.sharing.added", { email: email.trim() }));
    },
  });
  return (
    <form className={classes.form} {...form.props} aria-label={t("banks.sharing.add")}>
      <TextField
        className={classes.email}
        type="email"
        label={t("banks.sharing.email")}
        autoComplete="off"
        data-autofocus
        {...form.field("email", emailProblem)}
      />
      <Select
        label={t("banks.sharing.role")}
        options={ROLES.map((role) => ({ value: role, label: t(`banks.role.${role}`) }))}
        {...form.register("role")}
      />
      <p className={classes.explained}>{t(`banks.sharing.about.${form.watch("role")}`)}</p>
      <Button type="submit" loading={form.isBusy}>
        {t("banks.sharing.submit")}
      </Button>
    </form>
  );
}
