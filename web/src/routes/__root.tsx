import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { NotFoundScreen } from "../errors/NotFound";
import type { RouterContext } from "../router";

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => (
    <main>
      <NotFoundScreen />
    </main>
  ),
});
