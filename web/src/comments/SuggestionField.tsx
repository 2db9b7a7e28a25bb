import { useState } from "react";
import { childrenOf, isNode } from "../content/model";
import { useTranslation } from "../i18n/useTranslation";
import { emptyDocument, isEmptyDocument } from "../quiz-builder/model";
import { RichField } from "../quiz-builder/RichField";
import { Button } from "../ui/Button";
import classes from "./Thread.module.css";

interface Props {
  value: readonly unknown[];
  onChange: (blocks: readonly unknown[]) => void;
  onRemove: () => void;
}

/** The proposed text of a block. An empty text proposes to delete it. */
export function SuggestionField({ value, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  // The field owns its text; it begins with the block or with a kept draft.
  const [initial] = useState(() => (value.length > 0 ? { type: "doc", content: value } : emptyDocument()));
  return (
    <div className={classes.proposed}>
      <RichField
        label={t("comments.suggestion.field")}
        isLabelSeen
        value={initial}
        onChange={(document) =>
          onChange(isNode(document) && !isEmptyDocument(document) ? childrenOf(document) : [])
        }
      />
      <Button variant="subtle" size="compact" onClick={onRemove}>
        {t("comments.suggestion.withdraw")}
      </Button>
    </div>
  );
}
