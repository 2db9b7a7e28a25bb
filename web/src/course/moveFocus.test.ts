import { beforeEach, describe, expect, test } from "vitest";
import { moveFocus } from "./moveFocus";

let tree: HTMLElement;
const press = (key: string) => moveFocus(tree, key);
const focused = () => document.activeElement?.textContent;
const focus = (id: string) => document.getElementById(id)?.focus();

beforeEach(() => {
  document.body.innerHTML = `
    <nav>
      <a id="course" href="/c">course</a>
      <ul>
        <li>
          <button id="open" aria-expanded="true">open</button>
          <ul><li><a id="one" href="/1">one</a></li><li><a id="two" href="/2">two</a></li></ul>
        </li>
        <li><button id="closed" aria-expanded="false">closed</button></li>
      </ul>
    </nav>`;
  tree = document.querySelector("nav") as HTMLElement;
  for (const button of tree.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
    });
  }
});

describe("arrow keys in a tree", () => {
  test("up and down move through the visible items and stop at the ends", () => {
    focus("open");
    press("ArrowDown");
    expect(focused()).toBe("one");
    press("End");
    expect(focused()).toBe("closed");
    press("ArrowDown");
    expect(focused()).toBe("closed");
    press("ArrowUp");
    expect(focused()).toBe("two");
    press("Home");
    expect(focused()).toBe("open");
  });

  test("right expands a branch, then enters it", () => {
    focus("closed");
    press("ArrowRight");
    expect(document.getElementById("closed")?.getAttribute("aria-expanded")).toBe("true");
    expect(focused()).toBe("closed");
    focus("open");
    press("ArrowRight");
    expect(focused()).toBe("one");
  });

  test("left moves to the parent branch, then collapses it", () => {
    focus("two");
    press("ArrowLeft");
    expect(focused()).toBe("open");
    press("ArrowLeft");
    expect(document.getElementById("open")?.getAttribute("aria-expanded")).toBe("false");
  });

  test("ignore other keys, and a focus outside the tree", () => {
    focus("one");
    expect(press("Enter")).toBe(false);
    expect(press("a")).toBe(false);
    (document.activeElement as HTMLElement).blur();
    expect(press("ArrowDown")).toBe(false);
  });
});
