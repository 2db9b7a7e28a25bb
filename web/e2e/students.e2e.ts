import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { expectAccessible, expectFineEverywhere, signedIn, type sizes, withBrowser } from "./browser.ts";
import { enroll, person } from "./people.ts";
import { type Classroom, classroom, ids } from "./quizzes.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

async function shareCode({ owner, courseId }: Classroom): Promise<string> {
  const query = "query ($id: ID!) { course(id: $id) { shareCode } }";
  return (await graphql(server.url, owner.token, query, { id: courseId })).course.shareCode;
}

/** A class of four beside its first student: one of them has a name made to be a formula. */
async function fullClass() {
  const room = await classroom(server);
  const code = await shareCode(room);
  for (const name of ["Борисов Борис Борисович", "Ёлкина Ольга Петровна", "=HYPERLINK(1)"]) {
    await enroll(server, await person(server, name), code);
  }
  return room;
}

async function open({ owner, courseId }: Classroom, size: keyof typeof sizes = "desk") {
  const tab = await signedIn(server, owner, { size });
  await tab.page.goto(`/edit-course/${courseId}?tab=students`);
  return tab;
}

function names(page: Page): Promise<string[]> {
  return page.getByRole("table").getByRole("rowheader").getByRole("link").allInnerTexts();
}

const read = (room: Classroom, page: string) =>
  post(server.url, `/api/v1/courses/mark_page_visited/${page}`, {}, room.learner.token);

describe("a class", () => {
  test("says what to do while nobody is in it", async () => {
    const room = await classroom(server);
    const id = await makeCourse(server, room.owner, "Пустой курс");
    const { page } = await signedIn(server, room.owner);
    await page.goto(`/edit-course/${id}`);
    await page.getByRole("link", { name: "Ученики" }).click();
    await page.getByRole("heading", { name: "Пока никто не записался" }).waitFor();
    await page.getByRole("link", { name: "Открыть код и ссылку" }).click();
    await page.getByRole("heading", { name: "Доступ для учеников" }).waitFor();
  });

  test("is searched and sorted, and the address keeps how", async () => {
    const room = await fullClass();
    await read(room, room.pages[0]);
    const { page } = await open(room);
    const all = ["=HYPERLINK(1)", "Борисов Борис Борисович", "Ёлкина Ольга Петровна", room.learner.fullName];
    await eventually(() => names(page), all, "by name");
    await page.getByRole("button", { name: "Пройдено" }).click();
    await eventually(async () => (await names(page))[0], room.learner.fullName, "who is furthest");
    expect(await page.getByRole("columnheader", { name: "Пройдено" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
    await page.getByRole("button", { name: "Имя" }).click();
    await page.getByRole("button", { name: "Имя" }).click();
    await eventually(() => names(page), all.toReversed(), "by name, the other way round");
    await page.reload();
    await eventually(() => names(page), all.toReversed(), "the same after a reload");
  });

  test("goes into a file for spreadsheets, where nobody's name is a formula", async () => {
    const room = await fullClass();
    const { page } = await open(room);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Скачать CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("Основы Rust.csv");
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    expect(lines[0]).toBe(
      '\uFEFFИмя,Email,"Пройдено, %",Страниц пройдено,Страниц всего,Запись на курс,Последняя активность,Курс пройден',
    );
    expect(lines.slice(1, 5).map((line) => line.split(",")[0])).toEqual([
      "'=HYPERLINK(1)",
      "Борисов Борис Борисович",
      "Ёлкина Ольга Петровна",
      room.learner.fullName,
    ]);
  });

  test("shows what students do as they do it", async () => {
    const room = await classroom(server);
    const { page } = await open(room);
    const live = page.getByRole("region", { name: "Прямо сейчас" });
    await live.getByText("Здесь появится").waitFor();
    await page.getByRole("progressbar", { name: /Пройдено/ }).waitFor();
    // The subscription is on its way; what happened before it is in the table.
    await expect
      .poll(
        async () => {
          await read(room, room.pages[0]);
          const newcomer = await person(server, "Новикова Нина Ивановна");
          await enroll(server, newcomer, await shareCode(room));
          return live.getByText("новая запись на курс").count();
        },
        { timeout: 15_000, interval: 1000 },
      )
      .toBeGreaterThan(0);
    await read(room, room.pages[2]);
    await live.getByText("прочитано: «Что дальше»").waitFor();
    await page
      .getByRole("row", { name: new RegExp(room.learner.fullName) })
      .getByText("66 %")
      .waitFor();
  });
});

describe("one student", () => {
  test("is seen with visits and answers; attempts are given back, and the student goes", async () => {
    const room = await classroom(server);
    await read(room, room.pages[0]);
    const quizAnswers = [{ question_id: ids.text, text: "Карго" }];
    await post(
      server.url,
      `/api/v1/courses/submit_quiz/${room.quizId}`,
      { answers: quizAnswers },
      room.learner.token,
    );
    const { page } = await open(room);
    await page.getByRole("link", { name: room.learner.fullName }).first().click();
    await page.getByRole("heading", { name: room.learner.fullName }).waitFor();
    await page.getByText("1 из 3 страниц").first().waitFor();

    await page.getByRole("button", { name: /^Попытка 1/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ответ ученика").first().waitFor();
    await dialog.getByText("Карго").waitFor();
    await dialog.getByText("Cargo", { exact: true }).waitFor();
    await expectAccessible(page, "the answers of an attempt");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Сбросить попытки" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Сбросить попытки" }).click();
    await page.getByRole("button", { name: /^Попытка 1/ }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Убрать из курса" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Убрать из курса" }).click();
    await page.getByRole("heading", { name: "Пока никто не записался" }).waitFor();
  });

  test("who is not there is said so, with a way back", async () => {
    const room = await classroom(server);
    const { page } = await signedIn(server, room.owner);
    await page.goto(
      `/edit-course/${room.courseId}?tab=students&student=01900000-0000-7000-8000-000000000000`,
    );
    await page.getByText("Такого ученика в курсе нет").waitFor();
    await page.getByRole("button", { name: "Все ученики" }).click();
    await page.getByRole("table").waitFor();
  });
});

test("the class and the student are accessible and fit at every size, in both themes", async () => {
  const room = await fullClass();
  await read(room, room.pages[0]);
  const { page } = await open(room, "phone");
  await page.getByRole("table").waitFor();
  await expectFineEverywhere(page, "the class");
  await page.getByRole("link", { name: room.learner.fullName }).first().click();
  await page.getByRole("heading", { name: room.learner.fullName }).waitFor();
  await expectFineEverywhere(page, "a student");
});
