import { add, box, storedQuiz, test, textOf, write } from "./builder.ts";
import { expect } from "./fixtures.ts";

test("a selected word becomes the answer of the blank that replaces it", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Пропуски в тексте");
  const text = box(page, "Текст с пропусками");
  await write(text, "Столица Франции — Париж сегодня");
  await text.getByText("Париж").evaluate((element) => {
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const at = words.data.indexOf("Париж");
    getSelection()?.setBaseAndExtent(words, at - 1, words, at + "Париж ".length);
  });
  await page.getByRole("button", { name: "Вставить пропуск" }).click();
  await expect(box(page, "Ответ 1")).toHaveValue("Париж");
  await expect
    .poll(async () => (await storedQuiz(classroom, draftId)).questions[0]?.blanks[0]?.accepted)
    .toEqual(["Париж"]);
  expect(textOf((await storedQuiz(classroom, draftId)).questions[0].text)).toBe(
    "Столица Франции — _ сегодня",
  );
});
