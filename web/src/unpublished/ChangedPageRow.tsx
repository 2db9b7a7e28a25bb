import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { Row, Tag } from "../ui/Rows";
import type { ChangedPage } from "./changedPages";
import classes from "./UnpublishedList.module.css";

interface Props {
  page: ChangedPage;
  isSelected: boolean;
  onSelect: (on: boolean) => void;
  /** The button that compares both texts of the page. */
  compare: ReactNode;
}

/** A page with unpublished changes: where it is, who has changed it, when, and what stands in the way of publishing. */
export function ChangedPageRow({ page, isSelected, onSelect, compare }: Props) {
  const { t, i18n } = useTranslation();
  const { id, name, module, lesson, by, savedAt, isBehind, isIncomplete } = page;
  return (
    <Row
      name={
        <>
          <input
            type="checkbox"
            className={classes.check}
            aria-label={t("unpublished.list.select", { title: name })}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
          <Link to="/edit-page/$pageId" params={{ pageId: id }}>
            {name}
          </Link>
        </>
      }
      tags={
        (isIncomplete || isBehind) && (
          <span className={classes.tags}>
            {isIncomplete && <Tag warn>{t("unpublished.list.incomplete")}</Tag>}
            {isBehind && <Tag warn>{t("unpublished.list.behind")}</Tag>}
          </span>
        )
      }
      facts={
        <span className={classes.facts}>
          <span>{module === lesson ? lesson : `${module} › ${lesson}`}</span>
          <span>
            {t("unpublished.list.by", {
              name: by ?? t("unpublished.someone"),
              moment: dateAndTime(savedAt, i18n.language, t),
            })}
          </span>
        </span>
      }
      tools={compare}
    />
  );
}
