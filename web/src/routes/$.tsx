import { createFileRoute, Navigate, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { keepReturnPath } from "../api/returnPath";
import { signedIn } from "../api/session";
import { NotFoundScreen } from "../errors/NotFound";
import { withTexts } from "../i18n";
import { Shell } from "../shell/Shell";

const Preview = lazy(() => withTexts(import("../preview/Preview"), "students", "dates", "home", "learning"));

/**
 * Every address without a route: signed-in people keep their layout, visitors see the screen alone. The preview of a course is here, too,
 * because a route of its own would be part of each first load.
 */
export const Route = createFileRoute("/$")({
  component: function Elsewhere() {
    const href = useLocation({ select: (location) => location.href });
    if (href.startsWith("/preview/")) {
      if (signedIn())
        return (
          <Suspense>
            <Preview />
          </Suspense>
        );
      keepReturnPath(href);
      return <Navigate to="/login" replace />;
    }
    return signedIn() ? (
      <Shell>
        <NotFoundScreen />
      </Shell>
    ) : (
      <main>
        <NotFoundScreen />
      </main>
    );
  },
});
