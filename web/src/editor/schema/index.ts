import { getSchema } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { marks } from "./marks";
import { nodes } from "./nodes";

/** All of the content model and nothing else. The editor adds behaviour to these; it never changes what they may hold. */
export const modelExtensions = [...Object.values(nodes), ...Object.values(marks)];

let made: Schema | null = null;

/** The model without an editor, for reading and comparing documents. */
export function modelSchema(): Schema {
  made ??= getSchema(modelExtensions);
  return made;
}

export { marks, nodes };
