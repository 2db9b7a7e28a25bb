import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { type Account, createCourse, enroll, joinTeam, signUp } from "./api.ts";
import { award, complete, createAwarding, setDesign } from "./certificates.ts";
import { expect, test, viewports } from "./fixtures.ts";
import { field } from "./ui.ts";

async function expectFine(page: Page, screen: string): Promise<void> {
  await expectAccessibleEverywhere(page, screen);
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, `${screen}, 360`);
  await resize(page, viewports.desktop);
}

/** What the server answers at a path of this site. */
async function kindOf(page: Page, link: Locator): Promise<string | undefined> {
  const answer = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(answer.status()).toBe(200);
  return answer.headers()["content-type"];
}

const rename = (server: Server, { token }: Account, fullName: string | null) =>
  graphql(
    server.url,
    token,
    "mutation ($input: UpdateMeInput!) { updateMe(input: $input) { user { id } } }",
    {
      input: { fullName },
    },
  );

const publicPage = async (server: Server, id: string) =>
  (
    await graphql(
      server.url,
      "",
      "query ($id: ID!) { publicCertificate(id: $id) { state name grade pdfUrl } }",
      {
        id,
      },
    )
  ).publicCertificate;

test("an author designs the certificate and sees it while typing", async ({ server, tabFor }) => {
  const owner = await signUp(server, "Рыбакова Анна Игоревна");
  const courseId = await createCourse(server, owner, "Морские узлы", { Основы: { Петля: ["Зачем"] } });
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const section = page.getByRole("region", { name: "Сертификат", exact: true });
  const preview = section.getByRole("figure", { name: "Как будет выглядеть сертификат" });
  await expect(preview).toContainText("подтверждает успешное завершение курса «Морские узлы»");
  await expectFine(page, "the design of certificates");

  await section.getByRole("checkbox", { name: "Выдавать сертификаты" }).check();
  await section.getByRole("radio", { name: /^За оценку/ }).check();
  await field(page, "Порог, %").fill("сто");
  await field(page, "Срок действия в месяцах").fill("24");
  await section.getByRole("checkbox", { name: "Указывать оценку за курс" }).check();
  await field(page, "Заголовок сертификата").fill("Свидетельство");
  await expect(preview).toContainText("Свидетельство");
  await expect(preview).toContainText("Действителен до");
  await expect(preview).toContainText("Оценка");

  // Placeholders are inserted at the caret, by keyboard alone.
  const text = field(page, "Текст под именем");
  await text.fill("освоила узлы");
  await text.press("End");
  await section.getByRole("button", { name: "{grade} оценка" }).press("Enter");
  await expect(text).toBeFocused();
  await page.keyboard.type(".");
  await expect(text).toHaveValue("освоила узлы {grade}.");
  await expect(preview).toContainText(/освоила узлы 95\s%\./);
  // The text does not mention the course any more, so it stands below the name.
  await expect(preview).toContainText("Морские узлы");

  await field(page, "Кто подписывает").fill("Анна Петрова, боцман");
  await expect(preview.getByText("боцман")).toBeVisible();
  await section.getByRole("button", { name: "Золотой на тёмно-синем" }).press("Enter");
  await expect(field(page, "Фон")).toHaveValue("#14213d");
  await expect(section.getByText("В примере — то, что сохранено.")).toBeVisible();

  await section.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(section.getByText("Целое число от 0 до 100")).toBeVisible();
  await field(page, "Порог, %").fill("80");
  await section.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(page.getByText("Сохранено. Курс выдаёт сертификаты.")).toBeVisible();
  await expect(section.getByRole("button", { name: "Сохранить сертификат" })).toBeDisabled();
  await expectFine(page, "a changed design of certificates");

  const picture = await readFile(new URL("../public/icons/icon-512.png", import.meta.url));
  const file = { name: "logo.png", mimeType: "image/png", buffer: picture };
  await section.getByLabel("Выбрать логотип").last().setInputFiles(file);
  await expect(page.getByText("Логотип сохранён.")).toBeVisible();
  await expect(preview.getByRole("img", { name: "Логотип" })).toBeVisible();
  await section.getByLabel("Выбрать подпись").last().setInputFiles(file);
  await expect(preview.getByRole("img", { name: "Подпись" })).toBeVisible();
  expect(await kindOf(page, section.getByRole("link", { name: "Открыть пример PDF" }))).toBe(
    "application/pdf",
  );
  await section.getByRole("button", { name: "Убрать логотип" }).click();
  await expect(preview.getByRole("img", { name: "Логотип" })).toHaveCount(0);

  await page.reload();
  await expect(field(page, "Заголовок сертификата")).toHaveValue("Свидетельство");
  await expect(field(page, "Порог, %")).toHaveValue("80");
  await expect(text).toHaveValue("освоила узлы {grade}.");
});

test("two authors change different things of a design", async ({ server, tabFor }) => {
  const { owner, courseId } = await createAwarding(server);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  await field(page, "Заголовок сертификата").fill("Диплом");
  await setDesign(server, owner, courseId, { signer: "Пётр Ильин" });
  await page.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(page.getByText("Сохранено. Курс выдаёт сертификаты.")).toBeVisible();
  await expect(field(page, "Кто подписывает")).toHaveValue("Пётр Ильин");
  await expect(field(page, "Заголовок сертификата")).toHaveValue("Диплом");
  // Standard texts follow the language; this heading is not one of them.
  await setDesign(server, owner, courseId, { heading: "Сертификат" });
  await page.reload();
  await field(page, "Язык сертификата").selectOption("EN");
  await page.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(field(page, "Заголовок сертификата")).toHaveValue("Certificate");
});

test("a learner gets the certificate, its files and its page", async ({ server, tabFor }) => {
  const { learner, courseId } = await createAwarding(server);
  const { page, context } = await tabFor(learner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/view-course/${courseId}`);
  await expect(
    page.getByText(/Сертификат выдаётся за прохождение всего курса\. Осталось 2\sстраницы\./),
  ).toBeVisible();
  await expectFine(page, "what is missing for the certificate");

  await complete(server, learner, courseId);
  await page.reload();
  const offer = page.getByRole("region", { name: "Получите сертификат" });
  await expect(offer).toContainText("В сертификате будет указано: Белова Ольга Сергеевна");
  await expectFine(page, "a certificate to get");
  await offer.getByRole("link", { name: "Изменить имя в настройках" }).click();
  await page.waitForURL((url) => url.pathname === "/settings");
  await page.goBack();
  await offer.getByRole("button", { name: "Получить сертификат" }).press("Enter");
  const card = page.getByRole("region", { name: "Ваш сертификат" });
  await expect(card.getByRole("heading")).toBeFocused();
  await expect(card).toContainText("Белова Ольга Сергеевна");
  await expectFine(page, "an issued certificate");

  const pdf = card.getByRole("link", { name: "Скачать PDF" });
  expect(await kindOf(page, pdf)).toBe("application/pdf");
  const [saved] = await Promise.all([page.waitForEvent("download"), pdf.click()]);
  expect((await readFile(await saved.path())).subarray(0, 5).toString()).toBe("%PDF-");

  const address = await card.getByRole("link", { name: "Открыть страницу" }).getAttribute("href");
  const id = address?.split("/").at(-1) ?? "";
  await expect(card).toContainText(id);
  await card.getByRole("button", { name: "Скопировать ссылку" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${server.url}${address}`);
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    card.getByRole("link", { name: "Открыть страницу" }).click(),
  ]);
  await expect(opened.getByText("Морские узлы").first()).toBeVisible();
  await opened.close();

  const [badge] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Скачать Open Badge" }).click(),
  ]);
  expect(badge.suggestedFilename()).toMatch(/^open-badge-\w+\.jwt$/);
  const [, payload = ""] = (await readFile(await badge.path(), "utf8")).split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString()).type).toContain("OpenBadgeCredential");

  const shows = (await publicPage(server, id)).name !== null;
  const name = card.getByRole("checkbox", { name: "Имя и PDF" });
  await expect(name).toBeChecked({ checked: shows });
  await name.press("Space");
  await expect.poll(async () => (await publicPage(server, id)).name !== null).toBe(!shows);
  await expect(name).toBeChecked({ checked: !shows });
  await page.reload();
  await expect(name).toBeChecked({ checked: !shows });
});

test("a learner without a name is asked for it, and reissues the certificate after changing it", async ({
  server,
  tabFor,
}) => {
  const { learner, courseId } = await createAwarding(server, "Парусное дело");
  await complete(server, learner, courseId);
  await rename(server, learner, null);
  const { page } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  const offer = page.getByRole("region", { name: "Получите сертификат" });
  await expect(offer.getByRole("link", { name: "Указать имя в настройках" })).toBeVisible();
  await expect(offer.getByRole("button")).toHaveCount(0);
  await expectFine(page, "a certificate that needs a name");
  await offer.getByRole("link", { name: "Указать имя в настройках" }).click();
  await field(page, "Фамилия, имя и отчество").fill("Белова Ольга");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Имя сохранено.")).toBeVisible();
  await page.goto(`/view-course/${courseId}`);
  await expect(offer).toContainText("В сертификате будет указано: Белова Ольга");
  await offer.getByRole("button", { name: "Получить сертификат" }).click();
  const card = page.getByRole("region", { name: "Ваш сертификат" });
  await expect(card).toContainText("Белова Ольга");

  await rename(server, learner, "Морозова Ольга");
  await page.reload();
  await expect(card).toContainText("в сертификате — Белова Ольга, в аккаунте — Морозова Ольга");
  await expectFine(page, "a certificate in the former name");
  await card.getByRole("button", { name: "Переоформить" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("В новом сертификате будет указано: Морозова Ольга");
  await dialog.getByRole("button", { name: "Переоформить", exact: true }).click();
  await expect(page.getByText("Сертификат переоформлен.")).toBeVisible();
  await expect(card.getByText("Морозова Ольга", { exact: true })).toBeVisible();
  await expect(card.getByRole("button", { name: "Переоформить" })).toHaveCount(0);

  // The list has both.
  await page.goto("/settings#certificates");
  const mine = page.getByRole("region", { name: "Мои сертификаты" });
  await expect(mine.getByRole("heading", { name: "Парусное дело" })).toHaveCount(2);
  await expect(mine.getByText("Заменён")).toBeVisible();
  await expect(mine).toBeInViewport();
  const old = mine.getByRole("listitem").filter({ hasText: "Заменён" });
  await old.getByRole("button", { name: "Показать сертификат: Парусное дело" }).press("Enter");
  await expect(old).toContainText("действует новый, на другое имя");
  await expect(old.getByRole("link", { name: "Скачать PDF" })).toHaveCount(0);
  await expect(old.getByRole("link", { name: "Открыть страницу" })).toBeVisible();
  await expectFine(page, "the list of own certificates");
});

test("the settings and the palette lead to one's certificates, also without any", async ({
  server,
  tabFor,
}) => {
  const { page } = await tabFor(await signUp(server));
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("сертификаты");
  await page.getByRole("option", { name: "Мои сертификаты" }).click();
  await page.waitForURL((url) => url.pathname === "/settings" && url.hash === "#certificates");
  const mine = page.getByRole("region", { name: "Мои сертификаты" });
  await expect(mine.getByRole("heading", { name: "Сертификатов пока нет" })).toBeVisible();
  await expect(mine.getByRole("link", { name: "К моим курсам" })).toHaveAttribute("href", "/");
  await expectFine(page, "no certificates");
});

test("a grade is enough once it is reached and everything is graded", async ({ server, tabFor }) => {
  const { learner, courseId } = await createAwarding(server, "Оценённый курс", {
    isOn: true,
    basis: "GRADE",
    minPercent: 75,
  });
  const { page } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  await expect(page.getByText(/Сертификат выдаётся за оценку не ниже 75\s%/)).toBeVisible();
});

test("the staff find a certificate, revoke it with a reason and take that back", async ({
  server,
  tabFor,
}) => {
  const { owner, learner, courseId, shareCode } = await createAwarding(server);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=students&view=certificates`);
  await expect(page.getByRole("heading", { name: "Сертификатов пока никто не получил" })).toBeVisible();
  await expectFine(page, "no issued certificates");

  const id = await award(server, learner, courseId);
  for (let number = 1; number <= 20; number += 1) {
    const other = await signUp(server, `Ученик ${number}`);
    await enroll(server, other, shareCode);
    await award(server, other, courseId);
  }
  await page.reload();
  await expect(page.getByRole("status").filter({ hasText: /21\sсертификат/ })).toBeVisible();
  const rows = page.getByRole("list", { name: "Выданные сертификаты" }).getByRole("listitem");
  await expect(rows).toHaveCount(20);
  await page.getByRole("button", { name: "Вперёд" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Белова Ольга Сергеевна");
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("белова");
  await expect(page).toHaveURL(/search=/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(id);
  await expectFine(page, "issued certificates");

  await rows.getByRole("button", { name: "Отозвать сертификат: Белова Ольга Сергеевна" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Отозвать", exact: true }).click();
  await expect(dialog.getByText("Напишите причину")).toBeVisible();
  await field(page, "Причина").fill("Работу написал другой человек.");
  await expectFine(page, "revoking a certificate");
  await dialog.getByRole("button", { name: "Отозвать", exact: true }).click();
  await expect(page.getByText("Сертификат отозван: Белова Ольга Сергеевна.")).toBeVisible();
  await expect(rows).toContainText("Отозван");
  await expect(rows).toContainText("(Рыбакова Анна Игоревна): Работу написал другой человек.");
  expect((await publicPage(server, id)).state).toBe("REVOKED");

  const { page: own } = await tabFor(learner);
  await own.goto(`/view-course/${courseId}`);
  const card = own.getByRole("region", { name: "Сертификат отозван" });
  await expect(card).toContainText("Причина: Работу написал другой человек.");
  await expect(card.getByRole("link", { name: "Скачать PDF" })).toHaveCount(0);
  await expectFine(own, "a revoked certificate");

  await rows.getByRole("button", { name: "Отменить отзыв сертификата: Белова Ольга Сергеевна" }).click();
  await expect(page.getByText("Сертификат снова действует: Белова Ольга Сергеевна.")).toBeVisible();
  await expect(rows.getByText("Отозван")).toHaveCount(0);
  expect((await publicPage(server, id)).state).toBe("VALID");
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("никого");
  await expect(page.getByText("Никого не нашлось.")).toBeVisible();
});

test("teachers see the design, editors the list, reviewers no learners", async ({ server, tabFor }) => {
  const { owner, learner, courseId } = await createAwarding(server);
  await award(server, learner, courseId);
  const people = {
    teacher: await signUp(server, "Учителева Вера"),
    editor: await signUp(server, "Редакторов Иван"),
    reviewer: await signUp(server, "Рецензентова Яна"),
  };
  for (const [role, person] of Object.entries(people))
    await joinTeam(server, owner, person, courseId, role as keyof typeof people);

  const section = (page: Page) => page.getByRole("region", { name: "Сертификат", exact: true });
  const { page: teacher } = await tabFor(people.teacher);
  await teacher.goto(`/edit-course/${courseId}?tab=settings`);
  await expect(section(teacher)).toContainText("Изменить это могут владелец и редакторы.");
  await expect(section(teacher).getByRole("textbox")).toHaveCount(0);
  await expectFine(teacher, "the design of certificates for teachers");
  await section(teacher).getByRole("link", { name: "Выданные сертификаты" }).click();
  await expect(teacher.getByRole("button", { name: "Отозвать сертификат" })).toBeVisible();

  const { page: editor } = await tabFor(people.editor);
  await editor.goto(`/edit-course/${courseId}?tab=students&view=certificates`);
  await expect(editor.getByText("Белова Ольга Сергеевна")).toBeVisible();
  await expect(editor.getByRole("button", { name: "Отозвать сертификат" })).toHaveCount(0);

  const { page: reviewer } = await tabFor(people.reviewer);
  await reviewer.goto(`/edit-course/${courseId}?tab=settings`);
  await expect(section(reviewer)).toContainText("Изменить это могут владелец и редакторы.");
  await expect(section(reviewer).getByRole("link", { name: "Выданные сертификаты" })).toHaveCount(0);
});

test("without a network nothing is lost, and failures are told", async ({ server, tabFor }) => {
  const { owner, learner, courseId } = await createAwarding(server);
  await complete(server, learner, courseId);
  const { page, context, consoleErrors } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  const get = page.getByRole("button", { name: "Получить сертификат" });
  await expect(get).toBeEnabled();
  await context.setOffline(true);
  await expect(get).toBeDisabled();
  await expect(
    page.getByText("Нет сети. Получить сертификат можно будет, когда она появится."),
  ).toBeVisible();
  await context.setOffline(false);
  await get.click();
  await expect(page.getByRole("region", { name: "Ваш сертификат" })).toBeVisible();

  // The question about the certificate fails: the course is there, and the question can be asked again.
  const { page: other, consoleErrors: otherErrors } = await tabFor(learner);
  await other.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query MyCertificate(")) await route.abort();
    else await route.continue();
  });
  await other.goto(`/view-course/${courseId}`);
  await expect(other.getByText("Не удалось узнать, есть ли у вас сертификат.")).toBeVisible();
  await other.unrouteAll();
  await other.getByRole("button", { name: "Повторить" }).click();
  await expect(other.getByRole("region", { name: "Ваш сертификат" })).toBeVisible();

  const { page: author, context: authors, consoleErrors: authorErrors } = await tabFor(owner);
  await author.goto(`/edit-course/${courseId}?tab=settings`);
  await field(author, "Заголовок сертификата").fill("Диплом");
  await authors.setOffline(true);
  await author.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(author.getByText("Нет соединения").first()).toBeVisible();
  await expect(field(author, "Заголовок сертификата")).toHaveValue("Диплом");
  await authors.setOffline(false);
  await author.getByRole("button", { name: "Сохранить сертификат" }).click();
  await expect(author.getByText("Сохранено. Курс выдаёт сертификаты.")).toBeVisible();
  for (const errors of [consoleErrors, otherErrors, authorErrors]) errors.length = 0;
});
