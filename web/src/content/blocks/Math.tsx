import { useMemo } from "react";
import { BrokenBlock } from "../BrokenBlock";
import { useTypeset } from "../math/useTypeset";
import { type ContentNode, stringAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Math.module.css";

export function BlockMath({ node }: { node: ContentNode }) {
  const latex = stringAttr(node, "latex");
  if (latex === null) return <BrokenBlock what="block" type="blockMath" />;
  return (
    <div className={styles.block} data-fades>
      <Formula latex={latex} display />
    </div>
  );
}

export function InlineMath({ node }: { node: ContentNode }) {
  const latex = stringAttr(node, "latex");
  if (latex === null) return <BrokenBlock what="inline" type="inlineMath" />;
  return <Formula latex={latex} display={false} />;
}

/** A formula; shows its source until the typesetter is loaded, and when the formula has an error. */
function Formula({ latex, display }: { latex: string; display: boolean }) {
  const { t } = useRendering();
  const typeset = useTypeset();
  const html = useMemo(() => {
    try {
      return typeset?.(latex, display) ?? null;
    } catch {
      return null;
    }
  }, [typeset, latex, display]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes the formula, and it may neither link nor load (`trust: false`)
  if (html !== null) return <span className={styles.formula} dangerouslySetInnerHTML={{ __html: html }} />;
  const unreadable = typeset !== null;
  return (
    <code
      className={unreadable ? styles.unreadable : styles.pending}
      title={unreadable ? t("content.brokenFormula") : undefined}
    >
      {latex}
    </code>
  );
}
