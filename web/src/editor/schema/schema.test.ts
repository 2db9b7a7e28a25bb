import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentNode } from "../../content/model";
import { fromStored, sameContent, toStored } from "../stored";
import { documents } from "../testing/documents";
import { modelSchema } from ".";

const schema = modelSchema();

/** The tables of docs/content-model.md: each node with the attributes that the server accepts. */
function documented(): Map<string, string[]> {
  const text = readFileSync(resolve(import.meta.dirname, "../../../../docs/content-model.md"), "utf8");
  const nodes = new Map<string, string[]>();
  for (const row of text.split("\n").filter((line) => line.startsWith("| "))) {
    const [, names = [], attrs = []] = row
      .split(/(?<!\\)\|/)
      .map((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => String(match[1])));
    for (const name of names) nodes.set(name, attrs);
  }
  return nodes;
}

describe("the editor's schema", () => {
  test("has every documented block with its attributes, and no other", () => {
    const blocks = Object.values(schema.nodes).filter((type) => !type.isInline && type.name !== "doc");
    const ours = blocks.map((type): [string, string[]] => [
      type.name,
      Object.keys(type.spec.attrs ?? {}).sort(),
    ]);
    const theirs = [...documented()].map(([name, attrs]): [string, string[]] => [name, [...attrs].sort()]);
    expect(ours.sort()).toEqual(theirs.sort());
  });

  test("has the documented inline nodes and marks, and no other", () => {
    const inline = Object.values(schema.nodes).filter((type) => type.isInline);
    expect(inline.map((type) => type.name).sort()).toEqual(["hardBreak", "inlineMath", "text"]);
    expect(Object.keys(schema.marks).sort()).toEqual(
      [
        "bold",
        "italic",
        "underline",
        "strike",
        "code",
        "highlight",
        "subscript",
        "superscript",
        "link",
      ].sort(),
    );
  });

  test("round-trips any document", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const node = fromStored(schema, document);
        expect(node, JSON.stringify(document)).not.toBeNull();
        if (!node) return;
        const stored = toStored(node);
        expect(sameContent(stored, document)).toBe(true);
        // A second round trip gives the same JSON.
        expect(toStored(schema.nodeFromJSON(stored))).toEqual(stored);
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  test.each([
    ["an unknown block", { type: "doc", content: [{ type: "hologram" }] }],
    ["an unknown attribute", { type: "doc", content: [{ type: "paragraph", attrs: { colour: "red" } }] }],
    [
      "an unknown mark",
      {
        type: "doc",
        content: [{ type: "paragraph", content: [{ type: "text", text: "a", marks: [{ type: "blink" }] }] }],
      },
    ],
    ["no blocks", { type: "doc", content: [] }],
    ["another root", { type: "paragraph" }],
    ["nothing", null],
  ])("refuses %s, rather than losing it", (_, document) => {
    expect(fromStored(schema, document)).toBeNull();
  });

  test("leaves out the server's defaults", () => {
    const given: ContentNode = {
      type: "doc",
      content: [
        { type: "callout", attrs: { kind: "note" }, content: [{ type: "paragraph" }] },
        { type: "codeBlock", attrs: { language: null, caption: null } },
      ],
    };
    const node = fromStored(schema, given);
    expect(node && toStored(node)).toEqual({
      type: "doc",
      content: [
        { type: "callout", attrs: { kind: "note" }, content: [{ type: "paragraph" }] },
        { type: "codeBlock" },
      ],
    });
  });
});
