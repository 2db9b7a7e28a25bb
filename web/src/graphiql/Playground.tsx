import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import { useEffect, useState } from "react";
import { Bar } from "../developer-bar/Bar";
import { useTheme } from "../ui/theme";
import { examplesPlugin } from "./ExamplesPlugin";
import { firstTabs } from "./examples";
import type { Prepared } from "./examples/example";
import { fetcher } from "./fetcher";
import classes from "./graphiql.module.css";

const plugins = [HISTORY_PLUGIN, examplesPlugin];
/** The local storage key of GraphiQL's tabs. */
const SAVED_TABS = "graphiql:tabState";

export function Playground() {
  const theme = useTheme();
  const [tabs, setTabs] = useState<Prepared[] | null>(() => (localStorage.getItem(SAVED_TABS) ? [] : null));
  useEffect(() => {
    if (tabs === null) void firstTabs().then(setTabs);
  }, [tabs]);
  const first = tabs?.[0];
  return (
    <div className={classes.screen}>
      <Bar title="GraphiQL" other={{ title: "REST", href: "/docs" }} />
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
