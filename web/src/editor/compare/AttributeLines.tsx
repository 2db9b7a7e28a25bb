import { CALLOUT_KINDS } from "../../content/blocks/callouts";
import { languageLabel } from "../../content/highlight/languages";
import { useTranslation } from "../../i18n/useTranslation";
import type { AttributeChange } from "./attributes";
import { Marked } from "./Merged";
import styles from "./PageDiff.module.css";
import { TextChange, ValueChange } from "./ValueChange";

/** The attributes of a block that have changed, in words. */
export function AttributeLines({ changes, isRestyled }: { changes: AttributeChange[]; isRestyled: boolean }) {
  const { t } = useTranslation();
  if (changes.length === 0 && !isRestyled) return null;
  return (
    <ul className={styles.attributes}>
      {changes.map((change) => (
        <li key={JSON.stringify(change)}>
          {t(`compare.attributes.${change.name}`)}
          {": "}
          <Values change={change} />
        </li>
      ))}
      {isRestyled && <li>{t("compare.restyled")}</li>}
    </ul>
  );
}

/** Attributes whose values are texts, of which only words may have changed. */
const TEXTS = new Set(["alt", "caption", "filename", "latex"]);

function Values({ change: { name, before, after } }: { change: AttributeChange }) {
  const { t } = useTranslation();
  const wordOf = (value: AttributeChange["before"]): string => {
    if (typeof value === "boolean") return t(value ? "compare.yes" : "compare.no");
    if (value === null) return t("compare.none");
    const kind = name === "kind" ? CALLOUT_KINDS.find((one) => one === value) : undefined;
    if (kind) return t(`content.callout.${kind}`);
    if (name === "language") return languageLabel(String(value)) ?? String(value);
    if (name === "align" && (value === "left" || value === "center" || value === "right"))
      return t(`compare.aligns.${value}`);
    return String(value);
  };
  if (!TEXTS.has(name)) return <ValueChange before={wordOf(before)} after={wordOf(after)} />;
  if (before === null) return <Marked change="added">{String(after)}</Marked>;
  if (after === null) return <Marked change="removed">{String(before)}</Marked>;
  return <TextChange before={String(before)} after={String(after)} />;
}
