import { afterEach, expect, test } from "vitest";
import { placeOfSelection } from "./selection";

afterEach(() => {
  document.body.replaceChildren();
});

/** An answer of two paragraphs: «Небо 🌍» with «🌍» in a place that a number follows, and «синее», whose element says more. */
function answer() {
  const root = document.createElement("div");
  root.innerHTML =
    '<p><span data-at="0" data-length="5">Не<b>бо </b></span><mark data-at="5" data-length="1">🌍</mark><button>1</button></p><p><span data-at="6" data-length="5">синее<i> (новая вкладка)</i></span></p>';
  document.body.append(root, "Вне ответа");
  const text = (selector: string, at = 0) => {
    const node = root.querySelectorAll(selector)[at]?.firstChild;
    if (!node) throw new Error(selector);
    return node;
  };
  return { root, text };
}

function select(from: Node, start: number, to: Node, end: number) {
  const selection = getSelection();
  selection?.setBaseAndExtent(from, start, to, end);
  return selection;
}

test("a selection gives offsets in code points, without spaces at its ends", () => {
  const { root, text } = answer();
  expect(placeOfSelection(root, select(text("span"), 0, text("b"), 3))).toEqual({ start: 0, end: 4 });
  expect(placeOfSelection(root, select(text("b"), 2, text("mark"), 2))).toEqual({ start: 5, end: 6 });
});

test("a selection over paragraphs leaves out the numbers of comments", () => {
  const { root, text } = answer();
  expect(placeOfSelection(root, select(text("b"), 1, text("span", 1), 3))).toEqual({ start: 3, end: 9 });
  expect(placeOfSelection(root, select(document.body, 0, document.body, 2))).toEqual({ start: 0, end: 11 });
});

test("nothing selected, or something elsewhere, is no place", () => {
  const { root, text } = answer();
  expect(placeOfSelection(root, null)).toBeNull();
  expect(placeOfSelection(root, select(text("b"), 1, text("b"), 1))).toBeNull();
  expect(placeOfSelection(root, select(text("b"), 2, text("b"), 3))).toBeNull();
  const outside = document.body.lastChild as Node;
  expect(placeOfSelection(root, select(outside, 0, outside, 3))).toBeNull();
});
