import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconSearch } from "../ui/icons";
import classes from "./Admin.module.css";
import type { AdminSearch } from "./tabs";

interface Props {
  tab: AdminSearch["tab"];
  search: string;
  label: string;
  /** Beside the field. */
  children?: ReactNode;
}

/** The words a list is searched by; they are kept in the address. */
export function Look({ tab, search, label, children }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <search className={classes.look} aria-label={t("admin.search")}>
      <TextInput
        type="search"
        className={classes.words}
        aria-label={label}
        placeholder={label}
        maxLength={255}
        leftSection={<IconSearch size={18} />}
        value={search}
        onChange={(event) => {
          const words = event.currentTarget.value;
          void navigate({
            to: "/admin",
            search: { ...(tab && { tab }), ...(words && { search: words }) },
            replace: true,
            resetScroll: false,
          });
        }}
      />
      {children}
    </search>
  );
}
