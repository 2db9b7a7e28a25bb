import { useQuery } from "@apollo/client/react";
import { Outlet, useMatches, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { useTranslation } from "../i18n/useTranslation";
import { openPalette, PaletteHost } from "../palette/PaletteHost";
import { IconButton } from "../ui/IconButton";
import { IconMenu, IconOffline, IconSearch } from "../ui/icons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { useOnline } from "../ui/useOnline";
import { Brand } from "./Brand";
import { Bell, Drawer, ShellNotices } from "./laterParts";
import { MeDocument } from "./Me.generated";
import classes from "./Shell.module.css";
import { Sidebar } from "./Sidebar";

/** The signed-in layout: the sidebar, as a drawer on small screens, and beside it the given screen or that of the route. */
export function Shell({ children = <Outlet /> }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const wide = useMediaQuery("(min-width: 64em)");
  const online = useOnline();
  const { pageId } = useParams({ strict: false });
  const place = useMatches({ select: (matches) => `${matches.at(-1)?.routeId}` });
  const mode = place.includes("/edit-") ? "edit" : "view";
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const [drawerOpen, setDrawerOpen] = useState(false);
  // Loaded here and not in the sidebar, so that on a small screen the data is present before the drawer opens.
  const pageCourse = useQuery(PageCourseDocument, {
    variables: { id: pageId ?? "" },
    skip: pageId === undefined,
  });
  const me = useQuery(MeDocument).data?.me;
  const main = useFocusOnNewPlace(place);

  // Following a link in the drawer closes it.
  const [shownAt, setShownAt] = useState(pathname);
  if (shownAt !== pathname) {
    setShownAt(pathname);
    setDrawerOpen(false);
  }

  const sidebar = (
    <RegionBoundary>
      <Sidebar pageId={pageId} mode={mode} pageCourse={pageCourse} bell={wide && <Bell />} />
    </RegionBoundary>
  );
  return (
    <div className={classes.shell} data-reading={(pageId && mode === "view") || undefined}>
      <a className={classes.skip} href="#main">
        {t("common.skipToContent")}
      </a>
      {wide ? (
        <aside className={classes.sidebar}>{sidebar}</aside>
      ) : (
        <header className={classes.bar}>
          <IconButton
            aria-label={t("shell.openMenu")}
            aria-haspopup="dialog"
            aria-expanded={drawerOpen}
            onClick={() => setDrawerOpen(true)}
          >
            <IconMenu />
          </IconButton>
          <Brand />
          <Bell />
          <IconButton aria-label={t("shell.search")} onClick={openPalette}>
            <IconSearch />
          </IconButton>
        </header>
      )}
      {!wide && (
        <Drawer open={drawerOpen} onClose={() => setDrawerOpen(false)}>
          {sidebar}
        </Drawer>
      )}
      <div className={classes.column}>
        {!online && (
          <p className={classes.offline} role="status">
            <IconOffline size={18} />
            {t("shell.offline")}
          </p>
        )}
        <ShellNotices userId={me?.id} pathname={pathname} />
        <main id="main" className={classes.main} ref={main} tabIndex={-1}>
          <RegionBoundary resetKey={pathname}>{children}</RegionBoundary>
        </main>
      </div>
      <PaletteHost />
    </div>
  );
}

/** Moves the focus to the start of the screen after navigation, for keyboards and screen readers. */
function useFocusOnNewPlace(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return main;
}
