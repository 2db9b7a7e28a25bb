// @vitest-environment happy-dom
import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { createCache } from "../api/cache";
import { notVisited } from "../testing/notVisited";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import LockedPage from "./LockedPage";

const NEXT = {
  __typename: "Page",
  id: "p2",
  title: "Срезы",
  number: 1,
  reason: notVisited,
  timeline: openTimes,
};

function answer(state: "LOCKED" | "OPEN", opensAt: string | null, reasons: string[], needs: string[] = []) {
  return {
    page: {
      __typename: "Page",
      id: "p1",
      title: "Владение",
      number: 1,
      timeline: { __typename: "Timeline", state, opensAt, reasons, needs },
      lesson: {
        __typename: "Lesson",
        id: "l1",
        title: "Урок",
        module: { __typename: "Module", id: "m1", title: "Модуль" },
      },
      course: {
        __typename: "Course",
        id: "c1",
        title: "Rust",
        timeZone: null,
        enrollment: { __typename: "Enrollment", id: "e1", nextPage: NEXT },
      },
    },
  };
}

async function open(answers: () => object) {
  let asked = 0;
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        asked += 1;
        observer.next({ data: answers() });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const onOpen = vi.fn();
  await renderInRouter(
    <ApolloProvider client={client}>
      <LockedPage pageId="p1" lastShown={{ current: null }} onOpen={onOpen} />
    </ApolloProvider>,
  );
  await screen.findByRole("heading", { level: 1 });
  return { onOpen, asked: () => asked };
}

beforeAll(startI18n);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("says that the page never opens, or that the course has ended, and leads on", async () => {
  await open(() => answer("LOCKED", null, ["OVER"]));
  expect(screen.getByText(/не откроется/)).toBeTruthy();
  expect(screen.getByRole("link", { name: /Срезы/ }).getAttribute("href")).toBe("/view-page/p2");
  cleanup();
  await open(() => answer("LOCKED", null, ["COURSE_OVER"]));
  expect(screen.getByText(/Курс закончился/)).toBeTruthy();
});

it("looks again when the page opens, a few times if the clock of the device is fast, and not for ever", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opensAt = new Date(Date.now() + 60_000).toISOString();
  const { asked, onOpen } = await open(() => answer("LOCKED", opensAt, ["NOT_YET"]));
  expect(asked()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(62_000));
  expect(asked()).toBe(2);
  for (let minutes = 0; minutes < 120; minutes += 1) await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked()).toBe(6);
  expect(onOpen).not.toHaveBeenCalled();
});

it("shows the page as soon as it is open", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let state: "LOCKED" | "OPEN" = "LOCKED";
  const opensAt = new Date(Date.now() + 60_000).toISOString();
  const { onOpen } = await open(() => answer(state, opensAt, state === "LOCKED" ? ["NOT_YET"] : []));
  state = "OPEN";
  await act(() => vi.advanceTimersByTimeAsync(62_000));
  expect(onOpen).toHaveBeenCalledTimes(1);
});

it("names what must be completed first", async () => {
  await open(() => answer("LOCKED", null, ["NEEDS"], ["Переменные", "Типы"]));
  expect(screen.getByText("Сначала пройдите: «Переменные» и «Типы».")).toBeTruthy();
});
