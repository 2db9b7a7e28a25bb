import { afterAll, beforeAll, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { makeCourse } from "./authoring.ts";
import { signedIn, withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

let server: Server;
let teacher: Person;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  teacher = await person(server, "Орлова Ольга Олеговна");
});
afterAll(() => server?.stop());

test("a learner leaves a course after it is said what is lost, and only a learner does it here", async () => {
  const title = "Курс на время";
  const courseId = await makeCourse(server, teacher, title, { Модуль: { Урок: ["Страница"] } });
  const { generateShareCode } = await graphql(
    server.url,
    teacher.token,
    "mutation ($i: GenerateShareCodeInput!) { generateShareCode(input: $i) { course { shareCode } } }",
    { i: { courseId } },
  );
  const learner = await person(server);
  await enroll(server, learner, generateShareCode.course.shareCode);
  const students = async () =>
    (
      await graphql(server.url, teacher.token, "query ($id: ID!) { course(id: $id) { studentsCount } }", {
        id: courseId,
      })
    ).course.studentsCount;

  const { page } = await signedIn(server, learner);
  await page.goto(`/view-course/${courseId}`);
  const ask = page.getByRole("button", { name: "Покинуть курс…" });
  await ask.press("Enter");
  await page.getByRole("dialog").getByText("Вы ещё не прошли ни одной страницы.").waitFor();
  await page.keyboard.press("Escape");
  expect(await students()).toBe(1);
  await ask.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Покинуть курс" }).click();
  await page.waitForURL(`${server.url}/`);
  await page.getByText(`Вы больше не записаны на курс «${title}».`).waitFor();
  await page.getByText("Вы пока не учитесь ни на одном курсе").waitFor();
  expect(await students()).toBe(0);

  const own = await signedIn(server, teacher);
  await own.page.goto(`/view-course/${courseId}`);
  await own.page.getByRole("heading", { level: 1, name: title }).waitFor();
  await own.page.getByText("Предпросмотр").waitFor();
  expect(await own.page.getByRole("button", { name: "Покинуть курс…" }).count()).toBe(0);
});
