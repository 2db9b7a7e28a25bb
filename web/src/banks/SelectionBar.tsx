import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconClose, IconPlus } from "../ui/icons";
import { TagBankQuestionsDocument } from "./Bank.generated";
import { type BankQuestion, inBatches, tagsIn } from "./bank";
import classes from "./SelectionBar.module.css";
import { TagDialog } from "./TagDialog";

interface SelectionBarProps {
  bankId: string;
  selected: ReadonlyMap<string, BankQuestion>;
  /** The tags of the bank. */
  known: readonly string[];
  onTagged: () => void;
  onDelete: () => void;
  onClear: () => void;
}

/** Actions on the selected questions, at the bottom edge of the window. */
export function SelectionBar({ bankId, selected, known, onTagged, onDelete, onClear }: SelectionBarProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [open, setOpen] = useState<"add" | "remove" | null>(null);
  const count = selected.size;
  const tag = async (way: "add" | "remove", names: string[]) => {
    for (const questionIds of inBatches([...selected.keys()])) {
      await client.mutate({
        mutation: TagBankQuestionsDocument,
        variables: { input: { bankId, questionIds, [way]: names } },
      });
    }
    onTagged();
  };
  return (
    <section className={classes.bar} aria-label={t("banks.selection.label")}>
      <p className={classes.count} role="status">
        {t("banks.selection.count", { count })}
      </p>
      <div className={classes.buttons}>
        <Button variant="subtle" icon={<IconPlus size={18} />} onClick={() => setOpen("add")}>
          {t("banks.selection.addTags")}
        </Button>
        <Button variant="subtle" icon={<IconClose size={18} />} onClick={() => setOpen("remove")}>
          {t("banks.selection.removeTags")}
        </Button>
        <Button variant="subtle" className={classes.danger} icon={<IconTrash size={18} />} onClick={onDelete}>
          {t("banks.selection.delete")}
        </Button>
        <IconButton className={classes.close} aria-label={t("banks.selection.clear")} onClick={onClear}>
          <IconClose size={18} />
        </IconButton>
      </div>
      {open && (
        <TagDialog
          way={open}
          count={count}
          known={open === "add" ? known : tagsIn(selected.values(), i18n.language)}
          onTag={(names) => tag(open, names)}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}
