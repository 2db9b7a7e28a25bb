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

/** The commands of a table by the group of their buttons. */
const TABLE_COMMANDS = {
  row: ["addRowBefore", "addRowAfter", "deleteRow"],
  column: ["addColumnBefore", "addColumnAfter", "deleteColumn"],
  more: ["toggleHeaderRow", "mergeOrSplit"],
} as const;
const TABLE_SIGNS: Partial<Record<(typeof TABLE_COMMANDS)["row" | "column" | "more"][number], string>> = {
  addRowBefore: "+ ↑",
  addRowAfter: "+ ↓",
  deleteRow: "×",
  addColumnBefore: "+ ←",
  addColumnAfter: "+ →",
  deleteColumn: "×",
};
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
      {(["row", "column", "more"] as const).map((group) => (
        <fieldset key={group} className={styles.choices} aria-label={t(`editor.panel.tableGroup.${group}`)}>
          {group !== "more" && (
            <span className={styles.group} aria-hidden="true">
              {t(`editor.panel.tableGroup.${group}`)}
            </span>
          )}
          {TABLE_COMMANDS[group].map((command) => (
            <button
              key={command}
              type="button"
              className={styles.choice}
              aria-label={t(`editor.panel.table.${command}`)}
              title={t(`editor.panel.table.${command}`)}
              // The cursor stays in its cell.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => editor.chain().focus()[command]().run()}
            >
              {TABLE_SIGNS[command] ?? t(`editor.panel.table.${command}`)}
            </button>
          ))}
        </fieldset>
      ))}
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
