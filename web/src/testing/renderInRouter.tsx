import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { i18n } from "../i18n";
import { startI18n } from "./startI18n";

/** Renders `ui` with Russian texts and a router with the routes that course contents link to. */
export async function renderInRouter(ui: ReactNode) {
  if (!i18n.isInitialized) await startI18n();
  const root = createRootRoute();
  const index = createRoute({ getParentRoute: () => root, path: "/", component: () => ui });
  const page = createRoute({ getParentRoute: () => root, path: "/view-page/$pageId" });
  const router = createRouter({
    routeTree: root.addChildren([index, page]),
    context: {},
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  await router.load();
  // biome-ignore lint/suspicious/noExplicitAny: the types are registered for the app's own router
  return render(<RouterProvider router={router as any} />);
}
