import { useState } from "react";
import { embedAddresses } from "../../content/addresses";
import { LANGUAGES, type Language } from "../../content/highlight/languages";
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
  return (
    <Field
      label={t("editor.panel.latex")}
      value={latex}
      most={10_000}
      multiline
      placeholder="\frac{a}{b}"
      autoFocus={latex === ""}
      problem={problemOf(typeset, latex, t("content.brokenFormula"))}
      onChange={(text) => setAttributes(editor, target, { latex: text })}
    />
  );
}

function problemOf(typeset: ReturnType<typeof useTypeset>, latex: string, text: string): string | null {
  if (!typeset || latex.trim() === "") return null;
  try {
    typeset(latex, true);
    return null;
  } catch {
    return text;
  }
}

const LANGUAGE_NAMES = (Object.keys(LANGUAGES) as Language[]).map((language) => LANGUAGES[language].names[0]);

export function CodeFields({ editor, target }: FieldsProps) {
  const { t } = useTranslation();
  const { language, caption } = target.node.attrs;
  return (
    <>
      <Field
        label={t("editor.panel.language")}
        value={language ?? ""}
        most={40}
        list={LANGUAGE_NAMES}
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
