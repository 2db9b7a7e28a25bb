import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { TagsField } from "./TagsField";

beforeAll(startI18n);
afterEach(cleanup);

function Field({ initial = [] as string[] }) {
  const [tags, setTags] = useState(initial);
  return (
    <TagsField
      label="Теги"
      tags={tags}
      known={["легко", "сила трения", "трение"]}
      onAdd={(names) => setTags([...tags, ...names])}
      onRemove={(name) => setTags(tags.filter((one) => one !== name))}
    />
  );
}
const field = () => screen.getByRole("combobox", { name: "Теги" });
const shown = () => {
  const list = screen.queryByRole("list", { name: "Теги" });
  return list
    ? within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent)
    : [];
};

test("a suggestion is chosen by the arrow keys and Enter, and is not suggested again", async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.type(field(), "тре");
  const options = screen.getAllByRole("option").map((option) => option.textContent);
  expect(options).toEqual(["трение", "сила трения", "Новый тег «тре»"]);
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(shown()).toEqual(["сила трения"]);
  await user.type(field(), "тре");
  expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual([
    "трение",
    "Новый тег «тре»",
  ]);
});

test("a new tag is added by Enter and by a comma, and one that is typed twice is added once", async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.type(field(), "  9   класс {Enter}устно,легко{Enter}легко{Enter}");
  expect(shown()).toEqual(["9 класс", "устно", "легко"]);
});

test("Backspace in the empty field removes the last tag, and a button any other one", async () => {
  const user = userEvent.setup();
  render(<Field initial={["легко", "трение", "устно"]} />);
  await user.click(field());
  await user.keyboard("{Backspace}");
  expect(shown()).toEqual(["легко", "трение"]);
  await user.click(screen.getByRole("button", { name: "Убрать тег «легко»" }));
  expect(shown()).toEqual(["трение"]);
  expect(document.activeElement).toBe(field());
});

test("what is typed is added when the field is left", async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.type(field(), "устно, легко");
  await user.tab();
  expect(shown()).toEqual(["устно", "легко"]);
  expect(field()).toHaveProperty("value", "");
});

test("a tag that is too long stays in the field with the reason", async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.click(field());
  await user.paste("я".repeat(51));
  await user.keyboard("{Enter}");
  expect(screen.getByRole("alert").textContent).toContain("не длиннее 50");
  expect(shown()).toEqual([]);
  expect(field()).toHaveProperty("value", "я".repeat(51));
});
