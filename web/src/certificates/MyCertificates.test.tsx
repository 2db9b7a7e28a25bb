import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { renderApp } from "../testing/renderApp";

const user = {
  __typename: "User",
  id: "u1",
  email: "olga@example.com",
  fullName: "Белова Ольга",
  isSuperuser: false,
  isActive: true,
  createdAt: "2026-01-01T00:00:00Z",
};

const certificate = (id: string, state: string, more: object = {}) => ({
  __typename: "Certificate",
  id,
  courseTitle: `Курс ${id}`,
  name: "Белова Ольга",
  grade: null,
  awardedAt: "2025-03-05T10:00:00Z",
  expiresAt: null,
  timeZone: "Europe/Moscow",
  state,
  revokedAt: null,
  revokeReason: null,
  isNameShown: true,
  isGradeShown: true,
  pageUrl: `/c/${id}`,
  pdfUrl: state === "VALID" || state === "EXPIRED" ? `/c/${id}/certificate.pdf?signature=x` : null,
  ...more,
});

async function open(nodes: object[], totalCount = nodes.length) {
  const app = await renderApp("/settings", {
    Me: () => ({ me: user }),
    MyCertificates: () => ({
      myCertificates: { __typename: "CertificateConnection", totalCount, nodes },
    }),
    SetCertificatePrivacy: ({ input }) => ({
      setCertificatePrivacy: {
        __typename: "CertificatePayload",
        certificate: { ...nodes[0], ...(input as object) },
      },
    }),
  });
  const section = await screen.findByRole("region", { name: "Мои сертификаты" });
  return { ...app, section: within(section) };
}

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

describe("the user's certificates", () => {
  test("say how to earn a certificate when there is none", async () => {
    const { section } = await open([]);
    await section.findByRole("heading", { name: "Сертификатов пока нет" });
    section.getByRole("link", { name: /моим курсам/ });
  });

  test("of which there is one are open at once, with files, page and switches", async () => {
    const { section, asked } = await open([certificate("one", "VALID", { grade: "95 %" })]);
    const pdf = await section.findByRole("link", { name: "Скачать PDF" });
    expect(pdf.getAttribute("href")).toContain("/c/one/certificate.pdf");
    section.getByText("5 марта 2025 г.");
    await userEvent.click(section.getByRole("checkbox", { name: "Оценка" }));
    const sent = asked.find(({ name }) => name === "SetCertificatePrivacy");
    expect(sent?.variables).toEqual({ input: { certificateId: "one", isGradeShown: false } });
  });

  test("that have expired keep their files; revoked and replaced ones have none, and say why", async () => {
    const { section } = await open([
      certificate("expired", "EXPIRED", { expiresAt: "2026-03-05T10:00:00Z" }),
      certificate("revoked", "REVOKED", {
        revokedAt: "2026-04-01T10:00:00Z",
        revokeReason: "Чужая работа",
      }),
      certificate("replaced", "REPLACED", { name: "Иванова Ольга" }),
    ]);
    const show = async (id: string) => {
      await userEvent.click(await section.findByRole("button", { name: `Показать сертификат: Курс ${id}` }));
      const item = section.getByRole("heading", { name: new RegExp(`^Курс ${id}`) }).closest("li");
      return within(item as HTMLElement);
    };
    const expired = await show("expired");
    expired.getByText("Действовал до");
    expired.getByRole("link", { name: "Скачать PDF" });
    const revoked = await show("revoked");
    revoked.getByText("Причина: Чужая работа");
    expect(revoked.queryByRole("link", { name: "Скачать PDF" })).toBeNull();
    expect(revoked.queryByText(/В Open Badge/)).toBeNull();
    // The page still has the name, but not the PDF.
    revoked.getByRole("checkbox", { name: "Имя" });
    const replaced = await show("replaced");
    replaced.getByText(/действует новый/);
    expect(replaced.queryByRole("checkbox")).toBeNull();
    expect(replaced.queryByText(/Имя изменилось/)).toBeNull();
    replaced.getByRole("link", { name: "Открыть страницу" });
  });

  test("have days in their own zone, and end on the last day on which they are valid", async () => {
    const { section } = await open([
      certificate("one", "VALID", {
        awardedAt: "2025-03-05T20:00:00Z",
        // Midnight in the zone of the certificate.
        expiresAt: "2027-03-06T11:00:00Z",
        timeZone: "Pacific/Auckland",
      }),
    ]);
    const end = await section.findByText("Действует до");
    expect(end.nextElementSibling?.textContent).toBe("6 марта 2027 г.");
    expect(section.getByText("Выдан").nextElementSibling?.textContent).toBe("6 марта 2025 г.");
    section.getByText("6 марта 2025 г. · Белова Ольга");
  });

  test.each([
    [{}, "В Open Badge записаны ваше имя и хеш вашего email."],
    [{ grade: "95 %" }, "В Open Badge записаны ваше имя, оценка и хеш вашего email."],
    [{ grade: "95 %", isGradeShown: false }, "В Open Badge записаны ваше имя и хеш вашего email."],
    [{ isNameShown: false }, "Имя скрыто, поэтому в Open Badge нет ни имени, ни хеша email."],
  ])("say what the badge has: %o", async (more, text) => {
    const { section } = await open([certificate("one", "VALID", more)]);
    const badge = await section.findByRole("button", { name: "Скачать Open Badge" });
    const described = document.getElementById(badge.getAttribute("aria-describedby") ?? "");
    expect(described?.textContent?.replaceAll("\u00a0", " ")).toBe(text);
    const privacy = section.getByRole("group", { name: "Что видно по ссылке" });
    const words = privacy.textContent?.replaceAll("\u00a0", " ");
    expect(words).toContain("В скачанных раньше останется то, что было.");
    for (const fact of ["условие", "срок действия", "номер", "сервер"]) expect(words).toContain(fact);
  });

  test("in a former name are offered in the present one", async () => {
    const { section } = await open([certificate("one", "VALID", { name: "Иванова Ольга" })]);
    await section.findByText(/в сертификате\s— Иванова Ольга, в\sаккаунте\s— Белова Ольга/);
    section.getByRole("button", { name: "Переоформить…" });
  });
});
