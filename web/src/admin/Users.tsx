import { useMutation, useQuery } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconCheck, IconClose, IconPlus } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/Menu";
import { PER_PAGE } from "../ui/pageNumber";
import { Row, Tag } from "../ui/Rows";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { type AdminUser_UserFragment, AdminUsersDocument, UpdateUserDocument } from "./Admin.generated";
import { AdminList } from "./AdminList";
import { AdminSearchBar } from "./AdminSearchBar";
import { useLastPageRedirect } from "./useLastPageRedirect";

const UserDialog = lazy(() => import("./UserDialog").then((module) => ({ default: module.UserDialog })));
const DeleteUser = lazy(() => import("./DeleteUser").then((module) => ({ default: module.DeleteUser })));

type User = AdminUser_UserFragment;

/** The list of all accounts. */
export function Users({ meId, page, search }: { meId: string; page: number; search: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<User | "new" | null>(null);
  const [deleting, setDeleting] = useState<User | null>(null);
  const words = useDebouncedValue(search);
  const { data, previousData, error, refetch, loading } = useQuery(AdminUsersDocument, {
    variables: { search: words, skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const users = (data ?? previousData)?.users;
  const pages = useLastPageRedirect(page, loading || words !== search ? undefined : data?.users.totalCount);
  return (
    <section aria-label={t("admin.tabs.users")}>
      <AdminSearchBar tab={undefined} search={search} label={t("admin.users.search")}>
        <Button icon={<IconPlus size={18} />} onClick={() => setOpen("new")}>
          {t("admin.users.create")}
        </Button>
      </AdminSearchBar>
      <AdminList
        label={t("admin.tabs.users")}
        pagesLabel={t("admin.users.pages")}
        error={error}
        refetch={refetch}
        total={users?.totalCount}
        summary={(count) =>
          count === 0 ? t("admin.nothingFound", { words }) : t("admin.users.count", { count })
        }
        busy={data === undefined}
        rows={
          users?.nodes.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              self={user.id === meId}
              edit={() => setOpen(user)}
              remove={() => setDeleting(user)}
            />
          )) ?? []
        }
        page={page}
        pages={pages}
      />
      <Suspense fallback={null}>
        {open && (
          <UserDialog
            user={open === "new" ? undefined : open}
            self={open !== "new" && open.id === meId}
            onClose={() => setOpen(null)}
            onMade={() => void refetch()}
          />
        )}
        {deleting && (
          <DeleteUser user={deleting} onClose={() => setDeleting(null)} onGone={() => void refetch()} />
        )}
      </Suspense>
    </section>
  );
}

interface RowProps {
  user: User;
  /** The superuser's own account. */
  self: boolean;
  edit: () => void;
  remove: () => void;
}

function UserRow({ user, self, edit, remove }: RowProps) {
  const { t, i18n } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [update] = useMutation(UpdateUserDocument);
  const name = user.fullName || user.email;
  const activate = async (isActive: boolean) => {
    await update({ variables: { input: { userId: user.id, isActive } } });
    toastSuccess(t(isActive ? "admin.users.activated" : "admin.users.deactivated", { name }));
  };
  const items = (): MenuItem[] => [
    { label: t("admin.users.edit"), icon: <IconPencil size={18} />, onSelect: edit },
    ...(self
      ? []
      : [
          user.isActive
            ? {
                label: t("admin.users.deactivate"),
                icon: <IconClose size={18} />,
                onSelect: () => setAsking(true),
              }
            : {
                label: t("admin.users.activate"),
                icon: <IconCheck size={18} />,
                onSelect: () => void activate(true).catch(toastFailure),
              },
          {
            label: t("admin.users.delete"),
            icon: <IconTrash size={18} />,
            danger: true,
            apart: true,
            onSelect: remove,
          },
        ]),
  ];
  return (
    <>
      <Row
        name={<span>{name}</span>}
        tags={
          <>
            {self && <Tag>{t("admin.users.self")}</Tag>}
            {user.isSuperuser && <Tag>{t("admin.users.superuser")}</Tag>}
            {!user.isActive && <Tag warn>{t("admin.users.inactive")}</Tag>}
          </>
        }
        facts={
          <>
            {user.fullName && <span>{user.email}</span>}
            <span>
              {t("admin.users.since", { when: formatDateTime(user.createdAt, new Date(), i18n.language, t) })}
            </span>
          </>
        }
        tools={<Menu label={t("admin.users.menu", { name })} items={items} />}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("admin.users.deactivateTitle", { name })}
        confirm={t("admin.users.deactivate")}
        danger
        onConfirm={() => activate(false)}
      >
        <p>{t("admin.users.deactivateText")}</p>
      </ConfirmDialog>
    </>
  );
}
