import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import { useEffect, useState } from "react";
import { Bar } from "./Bar";
import { examplesPlugin } from "./ExamplesPlugin";
import { firstTabs, type Prepared, prepare } from "./examples";
import { fetcher } from "./fetcher";
import classes from "./graphiql.module.css";

const plugins = [HISTORY_PLUGIN, examplesPlugin];
/** Where GraphiQL keeps its tabs from one visit to the next. */
const SAVED_TABS = "graphiql:tabState";

export function Playground() {
  const [theme, setTheme] = useTheme();
  const [tabs, setTabs] = useState<Prepared[] | null>(() => (localStorage.getItem(SAVED_TABS) ? [] : null));
  useEffect(() => {
    if (tabs === null) void Promise.all(firstTabs.map(prepare)).then(setTabs);
  }, [tabs]);
  const first = tabs?.[0];
  return (
    <div className={classes.screen}>
      <Bar theme={theme} setTheme={setTheme} />
      <main className={classes.main}>
        {tabs && (
          <GraphiQL
            fetcher={fetcher}
            plugins={plugins}
            forcedTheme={theme}
            defaultEditorToolsVisibility="variables"
            {...(first && { defaultTabs: tabs, initialVariables: first.variables })}
          >
            <GraphiQL.Logo>{null}</GraphiQL.Logo>
          </GraphiQL>
        )}
      </main>
    </div>
  );
}

type Theme = "light" | "dark";

/** The app's theme, and as in the app under the key «theme». */
function useTheme() {
  const [theme, setTheme] = useState<Theme>(stored);
  useEffect(() => {
    const onStorage = () => setTheme(stored());
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.mantineColorScheme = theme;
  }, [theme]);
  const choose = (next: Theme) => {
    localStorage.setItem("theme", next);
    setTheme(next);
  };
  return [theme, choose] as const;
}

function stored(): Theme {
  return localStorage.getItem("theme") === "dark" ? "dark" : "light";
}
