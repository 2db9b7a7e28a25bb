import { type ContentNode, childrenOf } from "../../content/model";
import { BEFORE } from "./merged";

/** The attributes whose changes have a name on the screen; what is not here is seen in the block, or is of no use to a reader. */
const ATTRIBUTES = [
  "alt",
  "align",
  "caption",
  "checked",
  "filename",
  "kind",
  "language",
  "latex",
  "level",
  "open",
  "start",
  "type",
  "width",
] as const;
type AttributeName = (typeof ATTRIBUTES)[number];

type Value = string | number | boolean | null;

export interface AttributeChange {
  name: AttributeName;
  before: Value;
  after: Value;
}

/** The named attributes that a block and what is in it have other than before. */
export function attributeChanges(
  before: ContentNode,
  after: ContentNode,
  merged: ContentNode | null,
): AttributeChange[] {
  const found = new Map<string, AttributeChange>();
  const compare = (was: ContentNode["attrs"], now: ContentNode["attrs"]) => {
    for (const name of ATTRIBUTES) {
      const change = { name, before: plainValue(was?.[name]), after: plainValue(now?.[name]) };
      if (change.before !== change.after) found.set(JSON.stringify(change), change);
    }
  };
  const visit = (node: ContentNode) => {
    if (node.attrs && BEFORE in node.attrs) compare(node.attrs[BEFORE] as ContentNode["attrs"], node.attrs);
    childrenOf(node).forEach(visit);
  };
  if (merged) visit(merged);
  else if (before.type === after.type) compare(before.attrs, after.attrs);
  return [...found.values()];
}

const plainValue = (value: unknown): Value =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
