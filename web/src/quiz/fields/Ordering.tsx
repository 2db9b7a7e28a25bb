import { Document } from "../../content/Document";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { moveItem } from "../../ui/sorting/moveItem";
import { Sortable } from "../../ui/sorting/Sortable";
import type { Part } from "../model";
import { shortText } from "../shortText";
import classes from "./Choice.module.css";
import type { FieldProps } from "./props";

/** Items to put in order. */
export function Ordering({ question, answer, onAnswer, disabled }: FieldProps<"OrderingQuestion">) {
  const { t } = useTranslation();
  const parts = new Map<string, Part>(question.items.map((item) => [item.id, item]));
  const order = answer?.order ?? [...parts.keys()];
  const items = order.flatMap((id) => parts.get(id) ?? []);
  return (
    <>
      <p className={classes.hint}>{t("quiz.hint.ordering")}</p>
      <Sortable
        items={items}
        idOf={({ id }) => id}
        nameOf={({ content }, index) => shortText(content) || t("quiz.itemNumber", { number: index + 1 })}
        label={t("quiz.sort.list")}
        disabled={disabled}
        onMove={(from, to) => onAnswer({ order: [...moveItem(order, from, to)] })}
      >
        {({ content }) => <Document content={content} />}
      </Sortable>
      {!answer?.order && !disabled && (
        <Button variant="subtle" size="sm" onClick={() => onAnswer({ order })}>
          {t("quiz.sort.keep")}
        </Button>
      )}
    </>
  );
}
