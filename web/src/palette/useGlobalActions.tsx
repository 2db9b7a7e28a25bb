import { useApolloClient, useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { isGuest } from "../api/session";
import { IconCertificate } from "../certificates/IconCertificate";
import { MY_CERTIFICATES } from "../certificates/myCertificatesHash";
import { ENROLL_HASH } from "../home/enrollHash";
import { LANGUAGES, setLanguage } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { IconNotes } from "../notes/icons";
import { folded, foldKeys, toggleFold } from "../reading/tools/fold";
import { logOut } from "../shell/logOut";
import { MeDocument } from "../shell/Me.generated";
import { IconTrash, IconUpload } from "../ui/authorIcons";
import {
  IconBell,
  IconBooks,
  IconLeave,
  IconMoon,
  IconPlus,
  IconSearch,
  IconShield,
  IconSliders,
  IconSun,
} from "../ui/icons";
import { IconCode, IconGlobe, IconList, IconRepeat, IconSidebar } from "../ui/laterIcons";
import { setTheme, useTheme } from "../ui/theme";
import { IconCalendar } from "../ui/timeIcons";
import { toastFailure } from "../ui/toasts";
import type { PaletteAction } from "./actions";
import { PaletteSearchDocument } from "./PaletteSearch.generated";

/** The actions that take an account. */
const FOR_ACCOUNTS: ReadonlySet<string> = new Set([
  "banks",
  "deleted-courses",
  "import",
  "items",
  "settings",
  "notice-settings",
  "graphiql",
  "docs",
]);

/** Returns the actions available on every screen; those for authors of courses and of programs not for users who only learn, with search terms in both languages. */
export function useGlobalActions(): PaletteAction[] {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const router = useRouter();
  const theme = useTheme();
  const isSuperuser = useQuery(MeDocument).data?.me.isSuperuser ?? false;
  // Without words the search finds the user's courses; the palette shows them and has asked for them already.
  const courses = useQuery(PaletteSearchDocument, { variables: { text: "" } }).data?.search.nodes ?? [];
  const onlyLearns = courses.length > 0 && courses.every(({ myRole }) => myRole === "LEARNER");
  const isTechnical = isSuperuser || !onlyLearns;
  const dark = theme === "dark";
  const go = (path: string) => () => void router.navigate({ to: path });
  // The server serves these pages outside the app.
  const leave = (path: string) => () => window.location.assign(path);
  const actions: PaletteAction[] = [
    { id: "courses", title: t("shell.myCourses"), icon: <IconBooks />, words: "my courses", run: go("/") },
    {
      id: "calendar",
      title: t("palette.calendar"),
      icon: <IconCalendar />,
      words: "calendar dates deadlines schedule сроки расписание дедлайны",
      run: go("/calendar"),
    },
    {
      id: "notices",
      title: t("shell.notices"),
      icon: <IconBell />,
      words: "notices notifications unread inbox уведомления непрочитанные колокольчик",
      run: go("/notices"),
    },
    {
      id: "practice",
      title: t("palette.practice"),
      icon: <IconRepeat />,
      words: "practice repeat spaced repetition повторить вопросы ошибки карточки",
      run: go("/practice"),
    },
    {
      id: "notes",
      title: t("palette.notes"),
      icon: <IconNotes />,
      words: "notes highlights bookmarks заметки выделения конспект",
      run: go("/notes"),
    },
    {
      id: "search",
      title: t("palette.search"),
      icon: <IconSearch />,
      words: "full-text search find найти слова текст",
      run: go("/search"),
    },
    {
      id: "enroll",
      title: t("palette.enroll"),
      icon: <IconPlus />,
      words: "enroll join share code записаться код курса",
      run: () => void router.navigate({ to: "/", hash: ENROLL_HASH }),
    },
    {
      id: "catalogue",
      title: t("palette.catalogue"),
      icon: <IconBooks />,
      words: "catalogue courses public каталог открытые курсы",
      run: leave("/courses"),
    },
    {
      id: "banks",
      title: t("palette.banks"),
      icon: <IconList />,
      words: "question banks банки вопросов тесты",
      run: go("/banks"),
    },
    {
      id: "deleted-courses",
      title: t("home.deleted"),
      icon: <IconTrash />,
      words: "trash deleted courses restore корзина восстановить",
      run: go("/trash"),
    },
    {
      id: "import",
      title: t("home.import"),
      icon: <IconUpload />,
      words: "import course upload импорт курса загрузить",
      run: go("/import"),
    },
    ...(isTechnical
      ? [{ id: "items", title: t("palette.items"), icon: <IconList />, words: "items", run: go("/items") }]
      : []),
    ...(isSuperuser
      ? [
          {
            id: "admin",
            title: t("shell.administration"),
            icon: <IconShield />,
            words: "administration users",
            run: go("/admin"),
          },
        ]
      : []),
    {
      id: "settings",
      title: t("shell.settings"),
      icon: <IconSliders />,
      words: "settings account аккаунт профиль",
      run: go("/settings"),
    },
    {
      id: "certificates",
      title: t("palette.certificates"),
      icon: <IconCertificate />,
      words: "certificates badges pdf сертификаты свидетельства удостоверения дипломы",
      run: () => void router.navigate({ to: "/settings", hash: MY_CERTIFICATES }),
    },
    {
      id: "notice-settings",
      title: t("palette.noticeSettings"),
      icon: <IconSliders />,
      words:
        "notices mails settings unsubscribe письма почта отписаться тихие часы настройки push устройства",
      run: go("/settings/notices"),
    },
    ...(router.state.location.pathname.startsWith("/view-page/")
      ? [
          {
            id: "sidebar",
            title: t(folded.get() ? "palette.unfold" : "palette.fold", { keys: foldKeys() }),
            icon: <IconSidebar />,
            words: "sidebar fold hide show боковая панель скрыть показать содержание",
            run: toggleFold,
          },
        ]
      : []),
    {
      id: "theme",
      title: t(dark ? "common.theme.toLight" : "common.theme.toDark"),
      icon: dark ? <IconSun /> : <IconMoon />,
      words: "theme dark light тема",
      run: () => setTheme(dark ? "light" : "dark"),
    },
    ...LANGUAGES.filter((language) => language !== i18n.language).map((language) => ({
      id: `language-${language}`,
      title: `${t("common.language.label")}: ${t(`common.language.${language}`)}`,
      icon: <IconGlobe />,
      words: "language язык english русский",
      run: () => setLanguage(language).catch(toastFailure),
    })),
    ...(isTechnical
      ? [
          {
            id: "graphiql",
            title: t("palette.graphiql"),
            icon: <IconCode />,
            words: "graphiql api",
            run: leave("/graphiql"),
          },
          {
            id: "docs",
            title: t("palette.docs"),
            icon: <IconCode />,
            words: "rest api docs swagger",
            run: leave("/docs"),
          },
        ]
      : []),
    {
      id: "logout",
      title: t("shell.logout"),
      icon: <IconLeave />,
      words: "log out sign out выход",
      run: () => void logOut(client),
    },
  ];
  return isGuest() ? actions.filter(({ id }) => !FOR_ACCOUNTS.has(id)) : actions;
}
