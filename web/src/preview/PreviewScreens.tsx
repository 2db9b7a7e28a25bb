import type { ApolloClient } from "@apollo/client";
import { ApolloProvider, useQuery } from "@apollo/client/react";
import {
  type AnyRoute,
  type AnyRouter,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  useMatches,
  useParams,
  useRouter,
} from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { CourseContents } from "../course/CourseContents";
import { PageCourseDocument, type PageCourseQuery } from "../course/CourseTree.generated";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { useTranslation } from "../i18n/useTranslation";
import type { RouterContext } from "../router";
import { Drawer } from "../shell/Drawer";
import { Button } from "../ui/Button";
import { IconList } from "../ui/laterIcons";
import { TextSkeleton } from "../ui/Skeletons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { type Address, readAddress } from "./address";
import classes from "./Preview.module.css";

interface Props {
  client: ApolloClient;
  address: Address;
}

/** Learners' screens with the data of the preview, in a router of their own, so that their links stay in the preview. */
export function PreviewScreens({ client, address }: Props) {
  const app = useRouter();
  const [router] = useState(() => createScreens(client, address, app));
  return (
    <ApolloProvider client={client}>
      {/* biome-ignore lint/suspicious/noExplicitAny: the types are registered for the app's own router */}
      <RouterProvider router={router as any} />
    </ApolloProvider>
  );
}

/** The routes of learners' screens, by their ids in the app's router. */
const SCREENS = ["/_app/view-course/$courseId", "/_app/view-page/$pageId"];

/**
 * Creates a router with the app's own routes for two screens, `/view-course/…` and `/view-page/…`, and shows them in the address bar as
 * parts of the preview. All other addresses, also those of other courses, lead out of it: the app's router follows the same history.
 */
function createScreens(client: ApolloClient, { base, courseId }: Address, app: AnyRouter) {
  const root = createRootRouteWithContext<RouterContext>()();
  // Screens ask for the parameters of their route by its id, which contains that of the layout.
  const layout = createRoute({ getParentRoute: () => root, id: "_app", component: Frame });
  const screens = SCREENS.map((screen) => {
    const { fullPath, options } = app.routesById[screen] as AnyRoute;
    const { validateSearch, loader, component } = options;
    return createRoute({ getParentRoute: () => layout, path: fullPath, validateSearch, loader, component });
  });
  return createRouter({
    routeTree: root.addChildren([layout.addChildren(screens)]),
    history: app.history,
    context: { client, pages: `${base}/` },
    defaultErrorComponent: app.options.defaultErrorComponent,
    // Shown for a moment while the app's router leaves the preview.
    defaultNotFoundComponent: () => null,
    rewrite: {
      input: ({ url }) => {
        const address = readAddress(url.pathname);
        if (address?.base !== base) return url;
        const pageId = address.rest.slice(1);
        return moved(url, pageId ? `/view-page/${pageId}` : `/view-course/${courseId}`);
      },
      output: ({ url }) => {
        if (url.pathname === `/view-course/${courseId}`) return moved(url, base);
        const pageId = /^\/view-page\/([^/]+)$/.exec(url.pathname)?.[1];
        return pageId ? moved(url, `${base}/${pageId}`) : url;
      },
    },
  });
}

function moved(url: URL, pathname: string): URL {
  const result = new URL(url);
  result.pathname = pathname;
  return result;
}

/** The frame of the screens: the contents of the course beside a page, as in the app. */
function Frame() {
  const { t } = useTranslation();
  const isWide = useMediaQuery("(min-width: 64em)");
  const { pageId } = useParams({ strict: false });
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const main = useFocusOnNewScreen(pageId === undefined);
  const course = useQuery(PageCourseDocument, {
    variables: { id: pageId ?? "" },
    skip: pageId === undefined,
  });
  // The text of a page may link to another course, which this preview does not show.
  const isElsewhere = course.error !== undefined && ApiError.from(course.error).status === 404;
  const [shownAt, setShownAt] = useState(pathname);
  if (shownAt !== pathname) {
    setShownAt(pathname);
    setDrawerOpen(false);
  }
  return (
    <div className={classes.screens} data-beside={(isWide && pageId !== undefined) || undefined}>
      {pageId !== undefined && isWide && !isElsewhere && (
        <aside className={classes.contents}>
          <Contents pageId={pageId} course={course} />
        </aside>
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {pageId !== undefined && !isWide && (
          <div className={classes.tools}>
            <Button
              variant="default"
              icon={<IconList size={18} />}
              aria-haspopup="dialog"
              aria-expanded={isDrawerOpen}
              onClick={() => setDrawerOpen(true)}
            >
              {t("course.contents")}
            </Button>
            <Drawer open={isDrawerOpen} onClose={() => setDrawerOpen(false)}>
              <div className={classes.drawer}>
                <Contents pageId={pageId} course={course} />
              </div>
            </Drawer>
          </div>
        )}
        <RegionBoundary {...(pathname !== undefined && { resetKey: pathname })}>
          {isElsewhere ? <NotFoundScreen /> : <Outlet />}
        </RegionBoundary>
      </main>
    </div>
  );
}

interface ContentsProps {
  pageId: string;
  course: { data?: PageCourseQuery | undefined; error?: unknown; refetch: () => Promise<unknown> };
}

function Contents({ pageId, course: { data, error, refetch } }: ContentsProps) {
  if (data) return <CourseContents course={data.page.course} currentPageId={pageId} mode="view" />;
  if (!error) return <TextSkeleton lines={8} />;
  // A missing page has no contents; its screen shows the error.
  if ([404, 422].includes(ApiError.from(error).status)) return null;
  return <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} heading="p" />;
}

/** Moves the focus to the start of the screen when another one opens, for keyboards and screen readers. */
function useFocusOnNewScreen(isCourse: boolean) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(isCourse);
  useEffect(() => {
    if (last.current === isCourse) return;
    last.current = isCourse;
    main.current?.focus({ preventScroll: true });
  }, [isCourse]);
  return main;
}
