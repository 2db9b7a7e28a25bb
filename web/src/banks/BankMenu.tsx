import { useApolloClient, useQuery } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconLeave } from "../ui/icons";
import { IconPeople } from "../ui/laterIcons";
import { Menu, type MenuItem } from "../ui/Menu";
import { toastSuccess } from "../ui/toasts";
import { DeleteBankDocument } from "./Banks.generated";
import type { BankSummary } from "./bank";
import { UnshareBankDocument } from "./Sharing.generated";

const TitleDialog = lazy(() => import("./TitleDialog").then((module) => ({ default: module.TitleDialog })));
const ShareDialog = lazy(() => import("./ShareDialog").then((module) => ({ default: module.ShareDialog })));

interface BankMenuProps {
  bank: Pick<BankSummary, "id" | "title" | "role" | "owner" | "questionsCount">;
  /** The user has the bank no more. */
  onGone: () => void;
}

/** What the user may do with a bank as a whole: the owner everything, others leave it. */
export function BankMenu({ bank, onGone }: BankMenuProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const me = useQuery(MeDocument).data?.me;
  const [open, setOpen] = useState<"title" | "share" | "delete" | "leave" | null>(null);
  const close = () => setOpen(null);
  const isOwner = bank.role === "OWNER";
  const items = (): MenuItem[] =>
    isOwner
      ? [
          {
            label: t("banks.rename"),
            icon: <IconPencil size={18} />,
            onSelect: () => setOpen("title"),
          },
          { label: t("banks.share"), icon: <IconPeople size={18} />, onSelect: () => setOpen("share") },
          {
            label: t("banks.delete"),
            icon: <IconTrash size={18} />,
            danger: true,
            apart: true,
            onSelect: () => setOpen("delete"),
          },
        ]
      : [
          ...(bank.role === "EDITOR"
            ? [{ label: t("banks.share"), icon: <IconPeople size={18} />, onSelect: () => setOpen("share") }]
            : []),
          { label: t("banks.leave"), icon: <IconLeave size={18} />, onSelect: () => setOpen("leave") },
        ];
  const remove = async () => {
    const input = { bankId: bank.id };
    const { data } = await client.mutate({ mutation: DeleteBankDocument, variables: { input } });
    if (data) toastSuccess(data.deleteBank.message);
    onGone();
  };
  const leave = async () => {
    if (!me) return;
    const input = { bankId: bank.id, userId: me.id };
    await client.mutate({ mutation: UnshareBankDocument, variables: { input } });
    toastSuccess(t("banks.leaving.done", { title: bank.title }));
    onGone();
  };
  return (
    <>
      <Menu label={t("banks.menu", { title: bank.title })} items={items} />
      <Suspense fallback={null}>
        {open === "title" && <TitleDialog bank={bank} onClose={close} />}
        {open === "share" && <ShareDialog bank={bank} onClose={close} />}
      </Suspense>
      <ConfirmDialog
        open={open === "delete"}
        onClose={close}
        title={t("banks.deletion.title", { title: bank.title })}
        confirm={t("banks.deletion.confirm")}
        danger
        onConfirm={remove}
      >
        <p>{t("banks.deletion.text", { count: bank.questionsCount })}</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "leave"}
        onClose={close}
        title={t("banks.leaving.title", { title: bank.title })}
        confirm={t("banks.leaving.confirm")}
        danger
        onConfirm={leave}
      >
        <p>{t("banks.leaving.text")}</p>
      </ConfirmDialog>
    </>
  );
}
