import { expect, test } from "vitest";
import mathClasses from "../content/blocks/Math.module.css";
import type { ContentNode } from "../content/model";
import { quotableText, rangeOn, selectedPart, wordsOfBlock } from "./blockText";

const text = (words: string): ContentNode => ({ type: "text", text: words });
const paragraph = (...content: ContentNode[]): ContentNode => ({ type: "paragraph", content });

function shown(html: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = html;
  return element;
}

test("the text of a block has one space for all that parts words", () => {
  const block = {
    type: "bulletList",
    content: [
      { type: "listItem", content: [paragraph(text("Один"), { type: "hardBreak" }, text(" два,  "))] },
      {
        type: "listItem",
        content: [
          paragraph(text("при"), { type: "inlineMath", attrs: { latex: "x^2" } }, text("т"), text("ри\n")),
        ],
      },
    ],
  };
  expect(quotableText(block)).toBe("Один два, при три");
});

test("a part of the text is found on the screen, past formulas and elements, and back", () => {
  const block = paragraph(
    text("Раз "),
    { type: "inlineMath", attrs: { latex: "x" } },
    text("два "),
    text("три 😀!"),
  );
  const element = shown(`<p>Раз <span class="${mathClasses.formula}">x</span>два <b>три 😀</b>!</p>`);
  const words = wordsOfBlock(block, element);
  expect(words?.text).toBe("Раз два три 😀!");
  if (!words) return;
  const range = rangeOn(words, { start: 8, end: 13 });
  expect(range?.toString()).toBe("три 😀");
  if (range) expect(selectedPart(words, range)).toEqual({ start: 8, end: 13, quote: "три 😀" });
});

test("white space at the ends of a selection is no part of it", () => {
  const element = shown("<p>Один два три</p>");
  const words = wordsOfBlock(paragraph(text("Один два три")), element);
  const range = document.createRange();
  const node = element.firstElementChild?.firstChild as Text;
  range.setStart(node, 4);
  range.setEnd(node, 9);
  expect(words && selectedPart(words, range)).toEqual({ start: 5, end: 8, quote: "два" });
});

test("a screen that says something else has no words to note", () => {
  expect(wordsOfBlock(paragraph(text("Один")), shown("<p>Два</p>"))).toBeNull();
  const callout = { type: "callout", content: [paragraph(text("Один"))] };
  expect(wordsOfBlock(callout, shown("<div>Совет</div><p>Один</p>"))?.text).toBe("Один");
});
