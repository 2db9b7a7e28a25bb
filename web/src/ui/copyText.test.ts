import { afterEach, expect, test, vi } from "vitest";
import { copyText } from "./copyText";

afterEach(() => vi.unstubAllGlobals());

test("copies over plain HTTP, where browsers have no clipboard object", async () => {
  vi.stubGlobal("navigator", {});
  const execCommand = vi.fn(() => true);
  Object.assign(document, { execCommand });
  expect(await copyText("ABCD-EFGH")).toBe(true);
  expect(execCommand).toHaveBeenCalledWith("copy");
  expect(document.querySelector("textarea")).toBeNull();
});
