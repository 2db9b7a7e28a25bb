import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { storeToken } from "./api/session";
import { openApp } from "./testing/renderApp";

/** The id of each screen's route, and whether its code is loaded on demand. */
const onDemand: [id: string, isOnDemand: boolean][] = [];

beforeAll(async () => {
  const { routesById } = (await openApp("/no/such/path")).router;
  for (const { id, options: route } of Object.values(routesById)) {
    if (!route.component || id === "__root__") continue;
    onDemand.push([id, "preload" in route.component]);
    // These tests check redirects, so the screens render nothing.
    Object.assign(route, { component: () => null });
  }
});
afterEach(() => localStorage.clear());

const placeOf = async (address: string) => (await openApp(address)).router.state.location;

describe("the public screens", () => {
  test.each(["/login", "/signup", "/recover-password", "/reset-password"])(
    "%s opens without a token and redirects home with one",
    async (path) => {
      expect((await placeOf(path)).pathname).toBe(path);
      storeToken("a.b.c");
      expect((await placeOf(path)).pathname).toBe("/");
    },
  );
});

describe("the signed-in screens", () => {
  test.each([
    "/",
    "/settings",
    "/settings/notices",
    "/notices",
    "/items",
    "/banks",
    "/banks/01900000-0000-7000-8000-000000000000",
    "/calendar",
    "/practice",
    "/notes",
    "/search",
    "/import",
    "/trash",
    "/accept-invitation",
    "/admin",
    "/join/01900000-0000-7000-8000-000000000000",
    "/view-page/01900000-0000-7000-8000-000000000000",
    "/view-course/01900000-0000-7000-8000-000000000000",
    "/view-course/01900000-0000-7000-8000-000000000000/announcements",
    "/view-course/01900000-0000-7000-8000-000000000000/notes",
    "/edit-page/01900000-0000-7000-8000-000000000000",
    "/edit-course/01900000-0000-7000-8000-000000000000",
  ])("%s opens with a token and redirects to /login without one", async (path) => {
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

test("the link of a mail about notices opens with and without a token", async () => {
  expect((await placeOf("/unsubscribe/a.b.c")).pathname).toBe("/unsubscribe/a.b.c");
  storeToken("a.b.c");
  expect((await placeOf("/unsubscribe/a.b.c")).pathname).toBe("/unsubscribe/a.b.c");
});

test("the address of /notices has its filter", async () => {
  storeToken("a.b.c");
  const { router } = await openApp("/notices?view=unread");
  expect(router.state.matches.at(-1)?.search).toEqual({ view: "unread" });
});

describe.each(["/items", "/admin"])("the page number in the address of %s", (path) => {
  test.each([
    ["", undefined],
    ["?page=3", 3],
    ["?page=abc", 1],
    ["?page=", 1],
  ])("%s is parsed as %s, and as 1 when it is not a number", async (search, page) => {
    storeToken("a.b.c");
    const { router } = await openApp(path + search);
    expect(router.state.matches.at(-1)?.search).toEqual(page === undefined ? {} : { page });
  });
});

test("every screen is loaded on demand", () => {
  expect(onDemand.length).toBeGreaterThanOrEqual(12);
  for (const [id, isOnDemand] of onDemand) expect(isOnDemand, id).toBe(true);
});
