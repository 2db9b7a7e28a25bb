import { useEffect, useRef, useState } from "react";
import { copyText } from "../../ui/copyText";
import { commandsOf } from "../copying";
import { type Language, languageLabel, languageOf } from "../highlight/languages";
import { highlighted, highlightWhenIdle } from "../highlight/queue";
import { Inline } from "../Inline";
import { type ContentMark, type ContentNode, childrenOf, plainText, stringAttr } from "../model";
import { Place } from "../Place";
import { PLACE } from "../places";
import { useRendering } from "../rendering";
import { useOverflows } from "../useOverflows";
import styles from "./CodeBlock.module.css";

export function CodeBlock({ node }: { node: ContentNode }) {
  const { t } = useRendering();
  const scroller = useRef<HTMLPreElement>(null);
  const scrolls = useOverflows(scroller);
  const name = stringAttr(node, "language");
  const caption = stringAttr(node, "caption");
  const language = languageOf(name);
  const label = languageLabel(name);
  const whole = wholePlace(childrenOf(node));
  const code = childrenOf(node).map(plainText).join("");
  return (
    <figure className={styles.frame} aria-label={caption ?? undefined}>
      <div className={styles.bar}>
        {caption && <figcaption className={styles.caption}>{caption}</figcaption>}
        {label && <span className={styles.language}>{label}</span>}
        <CopyButton text={language === "shell" ? commandsOf(code) : code} />
      </div>
      <pre
        ref={scroller}
        className={styles.code}
        {...(scrolls && { tabIndex: 0, role: "group", "aria-label": caption ?? t("content.code") })}
      >
        {whole ? (
          <Place mark={whole}>
            <Code code={code} language={language} />
          </Place>
        ) : (
          <code>
            <Inline nodes={childrenOf(node)} />
          </code>
        )}
      </pre>
    </figure>
  );
}

/** The mark for the whole code; null if its text is cut at places, whose elements highlighting would replace. */
function wholePlace(nodes: readonly ContentNode[]): ContentMark | null {
  const places = nodes.flatMap((node) => (node.marks ?? []).filter(({ type }) => type === PLACE));
  if (places.length === 0) return { type: PLACE };
  const inside = places[0]?.attrs?.inside;
  return places.length === 1 && Array.isArray(inside) && inside.length === 0 ? (places[0] ?? null) : null;
}

/** Renders plain code first and highlights it later; the characters stay the same, so nothing moves. */
function Code({ code, language }: { code: string; language: Language | null }) {
  const [html, setHtml] = useState(() => language && highlighted(code, language));
  useEffect(() => {
    if (!language) return;
    const known = highlighted(code, language);
    setHtml(known);
    return known === null ? highlightWhenIdle(code, language, setHtml) : undefined;
  }, [code, language]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes every character of the code
  return html ? <code dangerouslySetInnerHTML={{ __html: html }} /> : <code>{code}</code>;
}

function CopyButton({ text }: { text: string }) {
  const { t } = useRendering();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? "copied" : "failed");
  return (
    <button type="button" className={styles.copy} data-outcome={outcome} onClick={copy}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={outcome === "copied" ? "M5 12.5 10 17 19 7" : "M9 9h11v11H9zM5 15H4V4h11v1"} />
      </svg>
      <span aria-live="polite">{t(`content.copy.${outcome ?? "ready"}`)}</span>
    </button>
  );
}
