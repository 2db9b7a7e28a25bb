import { expect, test } from "vitest";
import { shownTicks, tickKey } from "./ticks";

const tick = (task: number, isTicked: boolean, pageId = "p") => ({ pageId, version: 1, task, isTicked });

test("ticks that are not sent yet are shown over those of the server", () => {
  const unsent = new Map(
    [tick(1, false), tick(2, true), tick(3, true, "other")].map((one) => [
      tickKey(one.pageId, one.task),
      one,
    ]),
  );
  expect([...shownTicks("p", [0, 1], unsent)]).toEqual([0, 2]);
  expect([...shownTicks("other", [], unsent)]).toEqual([3]);
});
