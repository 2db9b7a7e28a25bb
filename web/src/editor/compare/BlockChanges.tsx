import { type ReactNode, useMemo, useState } from "react";
import { Document } from "../../content/Document";
import { type ContentNode, stringAttr } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { AttributeLines } from "./AttributeLines";
import { allText, type Change } from "./diffContent";
import { Merged } from "./Merged";
import { hasRestyled, ofSide, type Side } from "./merged";
import styles from "./PageDiff.module.css";

export type View = "inline" | "columns";

interface Props {
  change: Change;
  view: View;
  isFirst: boolean;
  isLast: boolean;
}

/** One part of two documents. */
export function BlockChange({ change, view, isFirst, isLast }: Props) {
  const { t } = useTranslation();
  switch (change.kind) {
    case "same":
      return <Unchanged blocks={change.blocks} hasBefore={!isFirst} hasAfter={!isLast} />;
    case "added":
    case "removed":
      return (
        <Frame kind={change.kind} label={t(`compare.kinds.${change.kind}`)}>
          <Cell view={view} side={change.kind === "added" ? "after" : "before"}>
            <Blocks blocks={change.blocks} />
          </Cell>
        </Frame>
      );
    case "moved":
      return (
        <Frame kind="moved" label={t(`compare.kinds.${change.to}`)}>
          <Cell view={view} side="after">
            <Blocks blocks={[change.block]} />
          </Cell>
        </Frame>
      );
    case "left":
      return (
        <p className={styles.left}>
          {t(`compare.left.${change.to}`)}
          <span className={styles.leftText}>{startOf(change.block)}</span>
        </p>
      );
    case "changed":
      return <Changed change={change} view={view} />;
  }
}

/** The words with which a block begins. */
function startOf(block: ContentNode): string {
  const text = (allText(block) || (stringAttr(block, "caption") ?? stringAttr(block, "alt") ?? "")).trim();
  return text.length > 80 ? `${text.slice(0, 80).trimEnd()}…` : text;
}

interface FrameProps {
  kind: "added" | "removed" | "moved" | "changed";
  label: string;
  children: ReactNode;
}

/** The frame of a change, which the bar of changes finds by its attribute. */
export function Frame({ kind, label, children }: FrameProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, and a region per change would be too many landmarks
    <div className={styles.change} data-kind={kind} data-change role="group" aria-label={label}>
      <p className={styles.label} aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}

/** What one side alone has: in its column, or over the whole width. */
function Cell({ view, side, children }: { view: View; side: Side; children: ReactNode }) {
  if (view === "inline") return children;
  return (
    <div className={styles.columns}>
      <div className={styles.column} data-side={side}>
        {children}
      </div>
    </div>
  );
}

function Blocks({ blocks }: { blocks: ContentNode[] }) {
  const content = useMemo(() => ({ type: "doc", content: blocks }), [blocks]);
  return <Document content={content} atOnce />;
}

function Changed({ change, view }: { change: Extract<Change, { kind: "changed" }>; view: View }) {
  const { t } = useTranslation();
  const { before, after, merged, attributes } = change;
  const isSameFile = !merged && stringAttr(after, "src") !== null && before.attrs?.src === after.attrs?.src;
  const blocks = useMemo(() => {
    const of = (side: Side) =>
      (merged ? [ofSide(merged, side, true)] : [change[side]]).filter((one) => one !== null);
    return { inline: merged && [merged], before: of("before"), after: of("after") };
  }, [merged, change]);
  const isOne = isSameFile || (view === "inline" && blocks.inline !== null);
  return (
    <Frame kind="changed" label={t("compare.kinds.changed")}>
      <AttributeLines changes={attributes} isRestyled={merged !== null && hasRestyled(merged)} />
      {isOne ? (
        <Merged blocks={blocks.inline ?? blocks.after} />
      ) : (
        <div className={styles.columns}>
          {(["before", "after"] as const).map((side) => (
            <div key={side} className={styles.column} data-side={side}>
              {view === "columns" ? (
                <VisuallyHidden as="p">{t(`compare.${side}`)}</VisuallyHidden>
              ) : (
                <p className={styles.sideName}>{t(`compare.${side}`)}</p>
              )}
              <Merged blocks={blocks[side]} />
            </div>
          ))}
        </div>
      )}
    </Frame>
  );
}

interface UnchangedProps {
  blocks: ContentNode[];
  hasBefore: boolean;
  hasAfter: boolean;
}

/** Blocks without changes. The ones next to changes are shown, so that the changes have a context; the others are folded. */
function Unchanged({ blocks, hasBefore, hasAfter }: UnchangedProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [first, last] = [hasBefore ? 1 : 0, hasAfter ? 1 : 0];
  const hidden = blocks.length - first - last;
  if (open || hidden < 2) return <Blocks blocks={blocks} />;
  return (
    <>
      {first > 0 && <Blocks blocks={blocks.slice(0, first)} />}
      <button type="button" className={styles.folded} onClick={() => setOpen(true)}>
        {t("compare.unchanged", { count: hidden })}
      </button>
      {last > 0 && <Blocks blocks={blocks.slice(-last)} />}
    </>
  );
}
