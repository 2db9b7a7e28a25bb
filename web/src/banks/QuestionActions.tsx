import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconClose, IconPlus } from "../ui/icons";
import { SelectionBar } from "../ui/SelectionBar";
import { TagBankQuestionsDocument } from "./Bank.generated";
import { type BankQuestion, inBatches, tagsIn } from "./bank";
import { TagDialog } from "./TagDialog";

interface Props {
  bankId: string;
  selected: ReadonlyMap<string, BankQuestion>;
  /** The tags of the bank. */
  known: readonly string[];
  onTagged: () => void;
  onDelete: () => void;
  onClear: () => void;
}

/** Actions on the selected questions, at the bottom edge of the window. */
export function QuestionActions({ bankId, selected, known, onTagged, onDelete, onClear }: Props) {
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
    <>
      <SelectionBar
        label={t("banks.selection.label")}
        count={t("banks.selection.count", { count })}
        deleteLabel={t("banks.selection.delete")}
        onDelete={onDelete}
        clearLabel={t("banks.selection.clear")}
        onClear={onClear}
      >
        <Button variant="subtle" icon={<IconPlus size={18} />} onClick={() => setOpen("add")}>
          {t("banks.selection.addTags")}
        </Button>
        <Button variant="subtle" icon={<IconClose size={18} />} onClick={() => setOpen("remove")}>
          {t("banks.selection.removeTags")}
        </Button>
      </SelectionBar>
      {open && (
        <TagDialog
          way={open}
          count={count}
          known={open === "add" ? known : tagsIn(selected.values(), i18n.language)}
          onTag={(names) => tag(open, names)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
