import { useApolloClient, useQuery } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect, useState } from "react";
import { ApiError } from "../api/apiError";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { hiddenItems, hideItems, showItems } from "../ui/hiddenItems";
import { IconPlus } from "../ui/icons";
import { IconList } from "../ui/laterIcons";
import { Menu } from "../ui/Menu";
import { Pagination } from "../ui/Pagination";
import { PER_PAGE, pagesOf } from "../ui/pageNumber";
import { Row, Rows, Tag } from "../ui/Rows";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { undoable } from "../ui/undo";
import { DeleteItemDocument, type Item_ItemFragment, ItemsDocument } from "./Items.generated";
import classes from "./Items.module.css";

const ItemDialog = lazy(() => import("./ItemDialog").then((module) => ({ default: module.ItemDialog })));

/** The screen at /items: the user's own items, or all items for a superuser. */
export function Items({ page }: { page: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useQuery(MeDocument).data?.me;
  const { data, previousData, error, refetch, loading } = useQuery(ItemsDocument, {
    variables: { skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const hidden = useSelector(hiddenItems);
  const [open, setOpen] = useState<Item_ItemFragment | "new" | null>(null);
  const items = (data ?? previousData)?.items;
  const pages = pagesOf(items?.totalCount ?? 0);
  const beyond = data !== undefined && !loading && page > pages;
  // A page number beyond the end navigates to the last page.
  useEffect(() => {
    if (beyond) void navigate({ to: "/items", search: { page: pages }, replace: true });
  }, [beyond, pages, navigate]);

  const shown = items?.nodes.filter(({ id }) => !hidden.has(id));
  const create = (
    <Button icon={<IconPlus size={18} />} onClick={() => setOpen("new")}>
      {t("items.create")}
    </Button>
  );
  const empty = items?.totalCount === 0 || (pages === 1 && shown?.length === 0);
  return (
    <Screen title={t("items.title")} lead={t("items.lead")} action={items && !empty && create}>
      <div className={classes.list}>
        {!items && (
          <QueryState
            error={error}
            retry={() => void refetch()}
            heading="h2"
            loading={<ListSkeleton rows={6} height="3.75rem" />}
          />
        )}
        {empty && (
          <EmptyState title={t("items.none")} icon={<IconList />} action={create} heading="h2">
            {t("items.noneText")}
          </EmptyState>
        )}
        {shown && shown.length > 0 && (
          <Rows label={t("items.title")} busy={data === undefined}>
            {shown.map((item) => (
              <ItemRow
                key={item.id}
                item={item}
                own={item.ownerId === me?.id}
                edit={() => setOpen(item)}
                gone={() => void refetch()}
              />
            ))}
          </Rows>
        )}
        {items && <Pagination label={t("items.pages")} shown={Math.min(page, pages)} pages={pages} />}
      </div>
      {open && (
        <Suspense fallback={null}>
          <ItemDialog
            item={open === "new" ? undefined : open}
            onClose={() => setOpen(null)}
            onMade={() => {
              void navigate({ to: "/items", search: {} });
              void refetch({ skip: 0 });
            }}
          />
        </Suspense>
      )}
    </Screen>
  );
}

interface RowProps {
  item: Item_ItemFragment;
  own: boolean;
  edit: () => void;
  /** Called after the server has deleted the item. */
  gone: () => void;
}

function ItemRow({ item, own, edit, gone }: RowProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const remove = () => {
    hideItems([item.id]);
    undoable({
      text: t("items.deleted", { title: item.title }),
      undo: () => showItems([item.id]),
      commit: async (leaving) => {
        try {
          await client.mutate({
            mutation: DeleteItemDocument,
            variables: { input: { itemId: item.id } },
            context: { fetchOptions: { keepalive: leaving } },
          });
        } catch (error) {
          // It was already deleted elsewhere.
          if (ApiError.from(error).status !== 404) throw error;
        }
        gone();
      },
    });
  };
  return (
    <Row
      name={
        <button type="button" className={classes.title} onClick={edit}>
          {item.title}
        </button>
      }
      tags={!own && <Tag quiet>{t("items.others")}</Tag>}
      facts={
        <>
          {item.description && <span className={classes.description}>{item.description}</span>}
          <span>
            {t("items.made", { when: formatDateTime(item.createdAt, new Date(), i18n.language, t) })}
          </span>
        </>
      }
      tools={
        <Menu
          label={t("items.menu", { title: item.title })}
          items={() => [
            { label: t("items.edit"), icon: <IconPencil size={18} />, onSelect: edit },
            {
              label: t("items.delete"),
              icon: <IconTrash size={18} />,
              danger: true,
              apart: true,
              onSelect: remove,
            },
          ]}
        />
      }
    />
  );
}
