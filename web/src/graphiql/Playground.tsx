import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import { useEffect, useState } from "react";
import { setTheme, useTheme } from "../ui/theme";
import { Bar } from "./Bar";
import { examplesPlugin } from "./ExamplesPlugin";
import { firstTabs, type Prepared, prepare } from "./examples";
import { fetcher } from "./fetcher";
import classes from "./graphiql.module.css";

const plugins = [HISTORY_PLUGIN, examplesPlugin];
/** The local storage key of GraphiQL's tabs. */
const SAVED_TABS = "graphiql:tabState";

export function Playground() {
  const theme = useTheme();
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
