import { CALLOUT_KINDS } from "../../content/blocks/callouts";
import { useTranslation } from "../../i18n/useTranslation";
import { EditorIcon } from "../toolbar/icons";
import { useEditorState } from "../useEditorState";
import type { FieldsProps } from "./BlockPanel";
import styles from "./BlockPanel.module.css";
import { setAttributes } from "./target";

export function CalloutFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.choices} aria-label={t("editor.panel.kind")}>
      {CALLOUT_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          className={styles.choice}
          aria-pressed={target.node.attrs.kind === kind}
          onClick={() => setAttributes(editor, target, { kind })}
        >
          <EditorIcon name={kind} size={18} />
          {t(`content.callout.${kind}`)}
        </button>
      ))}
    </fieldset>
  );
}

export function DetailsFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={target.node.attrs.open}
        onChange={(event) => setAttributes(editor, target, { open: event.currentTarget.checked })}
      />
      {t("editor.panel.open")}
    </label>
  );
}

const TABLE_COMMANDS = [
  "addRowBefore",
  "addRowAfter",
  "deleteRow",
  "addColumnBefore",
  "addColumnAfter",
  "deleteColumn",
  "toggleHeaderRow",
  "mergeOrSplit",
] as const;
const ALIGNS = ["left", "center", "right"] as const;

export function TableFields({ editor }: FieldsProps) {
  const { t } = useTranslation();
  const align = useEditorState(
    editor,
    (editor) =>
      String(editor.getAttributes("tableCell").align ?? editor.getAttributes("tableHeader").align ?? "left"),
    "left",
  );
  return (
    <>
      <label className={styles.check}>
        <span className={styles.label}>{t("editor.panel.tableDo")}</span>
        <select
          className={styles.input}
          value=""
          onChange={(event) => {
            const command = event.currentTarget.value as (typeof TABLE_COMMANDS)[number];
            editor.chain().focus()[command]().run();
          }}
        >
          <option value="">{t("editor.panel.choose")}</option>
          {TABLE_COMMANDS.map((command) => (
            <option key={command} value={command}>
              {t(`editor.panel.table.${command}`)}
            </option>
          ))}
        </select>
      </label>
      <fieldset className={styles.choices} aria-label={t("editor.panel.align")}>
        {ALIGNS.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.choice}
            aria-pressed={align === one}
            onClick={() =>
              editor
                .chain()
                .focus()
                .setCellAttribute("align", one === "left" ? null : one)
                .run()
            }
          >
            {t(`editor.panel.aligns.${one}`)}
          </button>
        ))}
      </fieldset>
    </>
  );
}
