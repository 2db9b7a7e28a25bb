import type { TFunction } from "i18next";
import { useRef, useState } from "react";
import { embedAddresses } from "../../content/addresses";
import { languages } from "../../content/highlight/languages";
import { useTypeset } from "../../content/math/useTypeset";
import { useTranslation } from "../../i18n/useTranslation";
import { embedOf } from "../embedOf";
import type { FieldsProps } from "./BlockPanel";
import styles from "./BlockPanel.module.css";
import { Field } from "./Field";
import { setAttributes } from "./target";

const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
const WIDTHS = [320, 480, 640, null] as const;

export function ImageFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const { alt, caption, width } = target.node.attrs;
  const isDecorative = alt === "";
  const set = (attributes: Record<string, unknown>) => setAttributes(editor, target, attributes);
  return (
    <>
      {!isDecorative && (
        <Field
          label={t("editor.panel.alt")}
          value={alt ?? ""}
          most={1000}
          placeholder={t("editor.panel.altPlaceholder")}
          hint={alt === null ? t("editor.panel.altHint") : null}
          onChange={(text) => set({ alt: orNull(text) })}
        />
      )}
      <Field
        label={t("editor.panel.caption")}
        value={caption ?? ""}
        most={1000}
        onChange={(text) => set({ caption: orNull(text) })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isDecorative}
          onChange={(event) => set({ alt: event.currentTarget.checked ? "" : null })}
        />
        {t("editor.panel.decorative")}
      </label>
      <fieldset className={styles.choices} aria-label={t("editor.panel.width")}>
        {WIDTHS.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.choice}
            aria-pressed={width === one}
            onClick={() => set({ width: one })}
          >
            {t(`editor.panel.widths.${one ?? "full"}`)}
          </button>
        ))}
      </fieldset>
    </>
  );
}

export function MediaFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <Field
      label={t("editor.panel.caption")}
      value={target.node.attrs.caption ?? ""}
      most={1000}
      onChange={(text) => setAttributes(editor, target, { caption: orNull(text) })}
    />
  );
}

export function AttachmentFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const { filename } = target.node.attrs;
  return (
    <Field
      label={t("editor.panel.filename")}
      value={filename}
      most={255}
      problem={filename === "" ? t("editor.panel.required") : null}
      // A file needs a name; while the field is empty it keeps the previous one.
      onChange={(text) => text.trim() && setAttributes(editor, target, { filename: text.trim() })}
    />
  );
}

export function EmbedFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const { provider, id, caption } = target.node.attrs;
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      <Field
        label={t("editor.panel.videoAddress")}
        value={embedAddresses(provider, id)?.page ?? ""}
        problem={problem}
        onChange={(text) => {
          const video = embedOf(text);
          setProblem(video ? null : t("editor.video.unknown"));
          if (video) setAttributes(editor, target, { ...video });
        }}
      />
      <Field
        label={t("editor.panel.caption")}
        value={caption ?? ""}
        most={1000}
        onChange={(text) => setAttributes(editor, target, { caption: orNull(text) })}
      />
    </>
  );
}

/** The source of a formula; the formula beside the panel is its preview. */
export function MathFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const typeset = useTypeset();
  const latex: string = target.node.attrs.latex;
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className={styles.math}>
      <Field
        label={t("editor.panel.latex")}
        value={latex}
        most={10_000}
        multiline
        placeholder="\frac{a}{b}"
        autoFocus={latex === ""}
        problem={problemOf(typeset, latex, t)}
        onChange={(text) => setAttributes(editor, target, { latex: text })}
      />
      <fieldset className={styles.choices} aria-label={t("editor.panel.palette")}>
        {PALETTE.map(([sign, latex]) => (
          <button
            key={latex}
            type="button"
            className={styles.choice}
            aria-label={`${sign} ${latex.trim()}`}
            title={latex}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insertLatex(box.current?.querySelector("textarea"), latex)}
          >
            {sign}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** The signs of the palette with their LaTeX. The first pair of braces takes the cursor or the selected text. */
const PALETTE = [
  ["a⁄b", "\\frac{}{}"],
  ["xⁿ", "^{}"],
  ["xₙ", "_{}"],
  ["√", "\\sqrt{}"],
  ["∑", "\\sum_{}^{}"],
  ["∫", "\\int_{}^{}"],
  ["lim", "\\lim_{}"],
  ["≤", "\\le "],
  ["≥", "\\ge "],
  ["≠", "\\ne "],
  ["·", "\\cdot "],
  ["→", "\\to "],
  ["∞", "\\infty "],
  ["α", "\\alpha "],
  ["π", "\\pi "],
  ["Абв", "\\text{}"],
] as const;

/** Inserts LaTeX at the cursor of the field; what is selected goes into its first pair of braces. */
function insertLatex(field: HTMLTextAreaElement | null | undefined, latex: string): void {
  if (!field) return;
  const { selectionStart, selectionEnd, value } = field;
  const selected = value.slice(selectionStart, selectionEnd);
  const brace = latex.indexOf("{}") + 1;
  const inserted = brace > 0 ? `${latex.slice(0, brace)}${selected}${latex.slice(brace)}` : latex;
  field.focus();
  field.setRangeText(inserted, selectionStart, selectionEnd, "end");
  if (brace > 0 && selected === "") field.setSelectionRange(selectionStart + brace, selectionStart + brace);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What is wrong with a formula and where; null for a valid or an empty one. */
export function problemOf(
  typeset: ReturnType<typeof useTypeset>,
  latex: string,
  t: TFunction,
): string | null {
  if (!typeset || latex.trim() === "") return null;
  try {
    typeset(latex, true);
    return null;
  } catch (error) {
    const { position } = error as { position?: unknown };
    if (typeof position !== "number") return t("content.brokenFormula");
    const near = latex.slice(position, position + 12);
    return near === ""
      ? t("editor.panel.latexEnds")
      : t("editor.panel.latexAt", { number: position + 1, near });
  }
}

export function CodeFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const { language, caption } = target.node.attrs;
  return (
    <>
      <Field
        label={t("editor.panel.language")}
        value={language ?? ""}
        most={40}
        list={languages}
        placeholder={t("editor.plainCode")}
        onChange={(text) => setAttributes(editor, target, { language: orNull(text) })}
      />
      <Field
        label={t("editor.panel.codeCaption")}
        value={caption ?? ""}
        most={255}
        placeholder="src/main.rs"
        onChange={(text) => setAttributes(editor, target, { caption: orNull(text) })}
      />
    </>
  );
}
