import { graphql } from "../../scripts/client.mjs";
import { createCourse, enroll, generateShareCode, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";

test("a learner leaves a course after a question that says what is kept, and staff cannot", async ({
  server,
  tabFor,
}) => {
  const teacher = await signUp(server, "Орлова Ольга Олеговна");
  const title = "Курс на время";
  const courseId = await createCourse(server, teacher, title, { Модуль: { Урок: ["Страница"] } });
  const shareCode = await generateShareCode(server, teacher, courseId);
  const learner = await signUp(server);
  await enroll(server, learner, shareCode);
  const students = async () =>
    (
      await graphql(server.url, teacher.token, "query ($id: ID!) { course(id: $id) { studentsCount } }", {
        id: courseId,
      })
    ).course.studentsCount;

  const { page } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  const leaveButton = page.getByRole("button", { name: "Покинуть курс…" });
  await leaveButton.press("Enter");
  await expect(page.getByRole("dialog").getByText("Курс исчезнет из вашего списка.")).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await students()).toBe(1);
  await leaveButton.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Покинуть курс" }).click();
  await page.waitForURL(`${server.url}/`);
  await expect(page.getByText(`Вы больше не записаны на курс «${title}».`)).toBeVisible();
  await expect(page.getByText("Вы пока не учитесь ни на одном курсе")).toBeVisible();
  expect(await students()).toBe(0);

  const own = await tabFor(teacher);
  await own.page.goto(`/view-course/${courseId}`);
  await expect(own.page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(own.page.getByText("Предпросмотр")).toBeVisible();
  await expect(own.page.getByRole("button", { name: "Покинуть курс…" })).toHaveCount(0);
});
