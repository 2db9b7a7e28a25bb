import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { SearchField } from "../ui/SearchField";
import classes from "./Admin.module.css";
import type { AdminSearch } from "./tabs";

interface Props {
  tab: AdminSearch["tab"];
  search: string;
  label: string;
  /** Content beside the field. */
  children?: ReactNode;
}

/** The search field of a list; the search text is kept in the address. */
export function AdminSearchBar({ tab, search, label, children }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <search className={classes.look} aria-label={t("admin.search")}>
      <SearchField
        className={classes.words}
        label={label}
        value={search}
        onSearch={(words) =>
          void navigate({
            to: "/admin",
            search: { ...(tab && { tab }), ...(words && { search: words }) },
            replace: true,
            resetScroll: false,
          })
        }
      />
      {children}
    </search>
  );
}
