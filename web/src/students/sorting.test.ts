import { describe, expect, it } from "vitest";
import { isOrder, pressed, sortOf } from "./sorting";

describe("the order of a class list", () => {
  it("is read from the address only where there is such a column", () => {
    expect(["name", "-percent", "completed"].every(isOrder)).toBe(true);
    expect(["", "-", "--name", "toString", "email", 3, undefined].some(isOrder)).toBe(false);
  });

  it("says what the server is asked for", () => {
    expect(sortOf("-percent")).toEqual({ sort: "PERCENT", descending: true });
    expect(sortOf("name")).toEqual({ sort: "FULL_NAME", descending: false });
  });

  it("turns round when its heading is pressed again, and begins with what one looks for", () => {
    expect(pressed("name", "name")).toBe("-name");
    expect(pressed("-name", "name")).toBe("name");
    expect(pressed("name", "percent")).toBe("-percent");
    expect(pressed("-percent", "name")).toBe("name");
    expect(pressed("name", "completed")).toBe("completed");
  });
});
