import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createCache } from "../api/cache";
import type { Course } from "../outline/EditCourse";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import IssuedCertificates from "./IssuedCertificates";

const issued = (id: string, state: string, holder: object, more: object = {}) => ({
  __typename: "CourseCertificate",
  certificate: {
    __typename: "Certificate",
    id,
    name: "Белова Ольга",
    awardedAt: "2025-03-05T20:00:00Z",
    // Midnight in the zone of the certificate.
    expiresAt: "2027-03-06T11:00:00Z",
    timeZone: "Pacific/Auckland",
    state,
    revokedAt: null,
    revokeReason: null,
    pageUrl: `/c/${id}`,
    pdfUrl: null,
    ...more,
  },
  holder: { __typename: "CertificateHolder", ...holder },
  revokedBy: null,
});

async function open(...nodes: object[]) {
  const data = {
    courseCertificates: { __typename: "CourseCertificateConnection", totalCount: nodes.length, nodes },
  };
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        observer.next({ data });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(
    <ApolloProvider client={client}>
      <IssuedCertificates
        course={{ id: "c1", myRole: "OWNER" } as Course}
        search=""
        onSearch={() => undefined}
      />
    </ApolloProvider>,
  );
  const list = await screen.findByRole("list", { name: "Выданные сертификаты" });
  return within(list).getAllByRole("listitem");
}

const plain = (row: Element | undefined) => row?.textContent?.replaceAll("\u00a0", " ");

beforeAll(startI18n);
afterEach(cleanup);

describe("the certificates of a course", () => {
  test("have days in their own zone, and end on the last day on which they are valid", async () => {
    const holder = { fullName: "Белова Ольга", email: "olga@example.com" };
    const [valid, expired, revoked] = await open(
      issued("one", "VALID", holder),
      issued("two", "EXPIRED", holder),
      issued("three", "REVOKED", holder, { revokedAt: "2025-04-01T20:00:00Z", revokeReason: "Ошибка" }),
    );
    expect(plain(valid)).toContain("выдан 6 марта 2025 г.");
    expect(plain(valid)).toContain("до 6 марта 2027 г.");
    expect(plain(expired)).toContain("действовал до 6 марта 2027 г.");
    expect(plain(revoked)).toContain("отозван 2 апреля 2025 г.: Ошибка");
  });

  test("of people who have left the course have no address", async () => {
    const [here, gone] = await open(
      issued("one", "VALID", { fullName: "Белова Ольга", email: "olga@example.com" }),
      issued("two", "VALID", { fullName: null, email: null }),
    );
    expect(plain(here)).toContain("olga@example.com");
    expect(plain(gone)).toContain("Белова Ольга");
    expect(plain(gone)).not.toContain("@");
    // There is no empty element in its place.
    for (const fact of gone?.querySelectorAll("span") ?? []) expect(fact.textContent).not.toBe("");
  });

  test("say before a revocation when others learn of it", async () => {
    await open(issued("one", "VALID", { fullName: "Белова Ольга", email: "olga@example.com" }));
    await userEvent.click(screen.getByRole("button", { name: /^Отозвать сертификат/ }));
    const dialog = await screen.findByRole("dialog", {}, { timeout: 10_000 });
    expect(plain(dialog)).toMatch(
      /В течение минуты страница.*Open Badge, могут узнать об этом с задержкой до часа/,
    );
  });
});
