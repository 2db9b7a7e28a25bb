import { describe, expect, it } from "vitest";
import { isOrder } from "./order";
import { pressed, sortOf } from "./sorting";

describe("the order of a class list", () => {
  it("ignores unknown columns in the address", () => {
    expect(["name", "-percent", "completed"].every(isOrder)).toBe(true);
    expect(["", "-", "--name", "toString", "email", 3, undefined].some(isOrder)).toBe(false);
  });

  it("is converted to the server's arguments", () => {
    expect(sortOf("-percent")).toEqual({ sort: "PERCENT", descending: true });
    expect(sortOf("name")).toEqual({ sort: "FULL_NAME", descending: false });
  });

  it("is reversed by a second click on the heading, and starts with the column's default direction", () => {
    expect(pressed("name", "name")).toBe("-name");
    expect(pressed("-name", "name")).toBe("name");
    expect(pressed("name", "percent")).toBe("-percent");
    expect(pressed("-percent", "name")).toBe("name");
    expect(pressed("name", "completed")).toBe("completed");
  });
});
