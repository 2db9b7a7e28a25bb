import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startI18n } from "../../testing/startI18n";
import { PinnedText } from "./PinnedText";
import { numbered, pinAt } from "./pins";
import { placeOfSelection } from "./selection";

beforeAll(startI18n);
afterEach(cleanup);

const link = { type: "link", attrs: { href: "https://example.org" } };
const content = {
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: [
        { type: "text", text: "Ссылка " },
        { type: "text", text: "и жирная", marks: [link, { type: "bold" }] },
      ],
    },
    { type: "codeBlock", content: [{ type: "text", text: "let x = 1;" }] },
  ],
};
const show = (...places: { start: number; end: number }[]) =>
  render(
    <PinnedText
      content={content}
      pins={numbered(
        places.map((place) => pinAt(place)),
        [],
      )}
      scope="s"
      active={null}
      onOpen={vi.fn()}
    />,
  ).container;

test("the number of a comment inside of a link is beside the link", () => {
  const root = show({ start: 7, end: 8 });
  expect(root.querySelector("mark a")?.firstChild?.textContent).toBe("и");
  expect(root.querySelectorAll("a")).toHaveLength(2);
  expect(root.querySelector("a button")).toBeNull();
  expect(root.querySelector("button")?.textContent).toBe("1");
});

test.each([[[]], [[{ start: 15, end: 18 }]]])(
  "a selection in code has its place, with these comments on the code: %j",
  (places) => {
    const root = show(...places);
    const code = root.querySelector("pre")?.textContent;
    expect(code?.replace(/^1|(?<=let)1/, "")).toBe("let x = 1;");
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode() as Text;
    while (!node.data.endsWith("1;")) node = walker.nextNode() as Text;
    const one = node.data.indexOf("1");
    const selection = getSelection();
    selection?.setBaseAndExtent(node, one, node, one + 1);
    expect(placeOfSelection(root, selection)).toEqual({ start: 23, end: 24 });
    selection?.setBaseAndExtent(root, 0, root, root.childNodes.length);
    expect(placeOfSelection(root, selection)).toEqual({ start: 0, end: 25 });
  },
);

test("a code block without text is shown empty", () => {
  const empty = { type: "doc", content: [{ type: "codeBlock" }, ...content.content] };
  const root = render(
    <PinnedText content={empty} pins={[]} scope="s" active={null} onOpen={vi.fn()} />,
  ).container;
  expect([...root.querySelectorAll("pre")].map(({ textContent }) => textContent)).toEqual(["", "let x = 1;"]);
});
