import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { storeToken } from "./api/session";
import { openApp } from "./testing/renderApp";

/** Each screen, and whether its code comes when it is opened. */
const onDemand: [id: string, isOnDemand: boolean][] = [];

beforeAll(async () => {
  const { routesById } = (await openApp("/no/such/path")).router;
  for (const { id, options: route } of Object.values(routesById)) {
    if (!route.component || id === "__root__") continue;
    onDemand.push([id, "preload" in route.component]);
    // Where an address leads is asked here, not what is there.
    Object.assign(route, { component: () => null });
  }
});
afterEach(() => localStorage.clear());

const placeOf = async (address: string) => (await openApp(address)).router.state.location;

describe("screens for who is not signed in", () => {
  test.each(["/login", "/signup", "/recover-password", "/reset-password"])(
    "%s is there, and leads home who has a token",
    async (path) => {
      expect((await placeOf(path)).pathname).toBe(path);
      storeToken("a.b.c");
      expect((await placeOf(path)).pathname).toBe("/");
    },
  );
});

describe("screens for who is signed in", () => {
  test.each([
    "/",
    "/settings",
    "/items",
    "/admin",
    "/view-page/01900000-0000-7000-8000-000000000000",
    "/view-course/01900000-0000-7000-8000-000000000000",
    "/edit-page/01900000-0000-7000-8000-000000000000",
    "/edit-course/01900000-0000-7000-8000-000000000000",
  ])("%s is there, and leads to /login who has no token", async (path) => {
    expect((await placeOf(path)).pathname).toBe("/login");
    storeToken("a.b.c");
    const { router } = await openApp(path);
    expect(router.state.location.pathname).toBe(path);
    expect(router.state.matches.at(-1)).toMatchObject({
      routeId: expect.stringMatching(/^\/_app\//),
      status: "success",
    });
  });
});

describe.each(["/items", "/admin"])("the page of %s in the address", (path) => {
  test.each([
    ["", undefined],
    ["?page=3", 3],
    ["?page=abc", 1],
    ["?page=", 1],
  ])("%s is read as %s, which without a number is 1", async (search, page) => {
    storeToken("a.b.c");
    const { router } = await openApp(path + search);
    expect(router.state.matches.at(-1)?.search).toEqual(page === undefined ? {} : { page });
  });
});

test("every screen is loaded on demand", () => {
  expect(onDemand.length).toBeGreaterThanOrEqual(12);
  for (const [id, isOnDemand] of onDemand) expect(isOnDemand, id).toBe(true);
});
