import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { highlighted, highlightWhenIdle } from "../../content/highlight/queue";
import { createEditor } from "../createEditor";

vi.mock("../../content/highlight/queue", () => ({
  highlighted: vi.fn(() => null),
  highlightWhenIdle: vi.fn(),
}));

type Show = (html: string) => void;

/** The blocks that were asked for and not cancelled, by their code. */
const asked = new Map<string, Show>();

const block = (code: string) => ({
  type: "codeBlock",
  attrs: { language: "rust" },
  content: [{ type: "text", text: code }],
});

function open(...codes: string[]) {
  const editor = createEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: codes.map(block) },
    label: "Text",
    hasPage: () => false,
    onChange: () => undefined,
  });
  const painted = () => [...editor.view.dom.querySelectorAll("pre")].map(colouredOf);
  return { editor, painted };
}

/** The coloured texts of a block. */
const colouredOf = (pre: Element) =>
  [...pre.querySelectorAll(".hljs-keyword")].map((span) => span.textContent);

/** Answers as the highlighter does: the first word is a keyword. */
const html = (code: string) => code.replace(/^\w+/, '<span class="hljs-keyword">$&</span>');

function answer(code: string) {
  asked.get(code)?.(html(code));
}

const pause = () => vi.advanceTimersByTime(300);

beforeEach(() => {
  vi.useFakeTimers();
  asked.clear();
  vi.mocked(highlighted).mockReturnValue(null);
  vi.mocked(highlightWhenIdle).mockImplementation((code, _, show) => {
    asked.set(code, show);
    return () => asked.delete(code);
  });
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

it("colours each block as soon as it is known, without asking for the others again", () => {
  const { editor, painted } = open("let a", "let b", "let c");
  pause();
  expect(vi.mocked(highlightWhenIdle)).toHaveBeenCalledTimes(3);
  answer("let b");
  expect(painted()).toEqual([[], ["let"], []]);
  answer("let a");
  answer("let c");
  expect(painted()).toEqual([["let"], ["let"], ["let"]]);
  expect(vi.mocked(highlightWhenIdle)).toHaveBeenCalledTimes(3);
  editor.destroy();
});

it("keeps the colours of an edited block until it is coloured anew", () => {
  const { editor, painted } = open("let a", "fn b");
  pause();
  answer("let a");
  answer("fn b");
  vi.mocked(highlighted).mockImplementation((code) => (code === "fn b" ? html(code) : null));
  editor.commands.insertContentAt(6, " = 1");
  expect(painted()).toEqual([["let"], ["fn"]]);
  pause();
  expect(painted()).toEqual([["let"], ["fn"]]);
  answer("let a = 1");
  expect(painted()).toEqual([["let"], ["fn"]]);
  editor.destroy();
});
