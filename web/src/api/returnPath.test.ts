import { afterEach, expect, test } from "vitest";
import { keepReturnPath, returnPath, takeReturnPath } from "./returnPath";

afterEach(() => sessionStorage.clear());

test("a kept path is taken once", () => {
  keepReturnPath("/view-page/x?from=mail#part");
  expect(returnPath()).toBe("/view-page/x?from=mail#part");
  expect(takeReturnPath()).toBe("/view-page/x?from=mail#part");
  expect(takeReturnPath()).toBe("/");
});

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", ""])(
  "an address outside the app is not kept: %s",
  (address) => {
    keepReturnPath(address);
    expect(takeReturnPath()).toBe("/");
  },
);
