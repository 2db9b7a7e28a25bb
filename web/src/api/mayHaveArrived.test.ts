import { expect, test } from "vitest";
import { ApiError } from "./apiError";
import { mayHaveArrived } from "./mayHaveArrived";

test("an attempt may have arrived when no answer came, or only one of a proxy that waited in vain", () => {
  const failed = (status: number) => new ApiError({ url: "/graphql", status, statusText: "", body: null });
  expect(mayHaveArrived(new TypeError("Failed to fetch"))).toBe(true);
  expect([502, 504].map((status) => mayHaveArrived(failed(status)))).toEqual([true, true]);
  expect([409, 422, 503].map((status) => mayHaveArrived(failed(status)))).toEqual([false, false, false]);
});
