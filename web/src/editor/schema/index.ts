import { getSchema } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { marks } from "./marks";
import { nodes } from "./nodes";

/** The content model as TipTap extensions. The editor adds behaviour to them and never changes what they may contain. */
const modelExtensions = [...Object.values(nodes), ...Object.values(marks)];

let made: Schema | null = null;

/** The schema without an editor, for reading and comparing documents. */
export function modelSchema(): Schema {
  made ??= getSchema(modelExtensions);
  return made;
}

export { marks, nodes };
