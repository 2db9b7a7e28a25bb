import { graphql } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { box, savedState, storedQuiz, test, textOf } from "./builder.ts";
import { ids } from "./classroom.ts";
import { expect } from "./fixtures.ts";

const text = (id: string, prompt: string) => ({ id, type: "short_text", prompt, accepted: ["да"] });

test("changes of different questions are merged, and a question that both changed is chosen alone", async ({
  server,
  classroom,
  draftId,
  openBuilder,
}) => {
  const save = (...questions: object[]) =>
    graphql(
      server.url,
      classroom.owner.token,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
      { input: { pageId: draftId, quiz: { pass_percent: 70, questions } } },
    );
  const prompts = async () =>
    (await storedQuiz(classroom, draftId)).questions.map((question) => textOf(question.prompt));
  await save(text(ids.single, "Первый"), text(ids.multiple, "Второй"), text(ids.text, "Третий"));
  const page = await openBuilder(draftId);
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === "SavePage" ? route.abort() : route.continue(),
  );
  for (const prompt of ["1. Первый", "3. Третий"]) {
    await page.getByRole("button", { name: prompt }).click();
    await box(page, "Вопрос").click();
    await page.keyboard.press("End");
    await page.keyboard.insertText(" мой");
  }
  await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
  await save(text(ids.single, "Первый их"), text(ids.multiple, "Второй их"), text(ids.text, "Третий"));
  await page.unroute("**/graphql");

  await page.getByRole("button", { name: "Сравнить и выбрать" }).click();
  const dialog = page.getByRole("dialog", { name: "Два текста одной страницы" });
  const choice = dialog.getByRole("group", { name: "Какой вопрос 1 оставить" });
  await expect(dialog.getByRole("group")).toHaveCount(1);
  await expect(dialog.getByRole("region", { name: "Вопрос 1: Ваш текст" })).toContainText("Первый мой");
  await expect(dialog.getByRole("region", { name: "Вопрос 1: Сохранённый текст" })).toContainText(
    "Первый их",
  );
  await expectAccessibleEverywhere(page, "a conflict of questions");
  await resize(page, { width: 360, height: 800 });
  await expectNoHorizontalScroll(page, "a conflict of questions at 360 px");
  await choice.getByRole("radio", { name: "Сохранённое" }).check();
  await dialog.getByRole("button", { name: "Сохранить выбранное" }).click();
  await expect(savedState(page)).toBeVisible();
  await expect.poll(prompts).toEqual(["Первый их", "Второй их", "Третий мой"]);
});
