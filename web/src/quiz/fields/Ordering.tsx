import { useTranslation } from "react-i18next";
import { Document } from "../../content/Document";
import type { Part } from "../model";
import { moved } from "../sorting/moved";
import { Sortable } from "../sorting/Sortable";
import { wordsOf } from "../words";
import classes from "./Choice.module.css";
import type { FieldProps } from "./props";

/** Things to be put in order. */
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
        nameOf={({ content }, index) => wordsOf(content) || t("quiz.itemNumber", { number: index + 1 })}
        label={t("quiz.sort.list")}
        disabled={disabled}
        onMove={(from, to) => onAnswer({ order: [...moved(order, from, to)] })}
      >
        {({ content }) => <Document content={content} />}
      </Sortable>
    </>
  );
}
