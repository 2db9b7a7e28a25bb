import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useState } from "react";
import { type Example, examples, type Prepared, prepare } from "./examples";
import classes from "./graphiql.module.css";
import { texts } from "./texts";

/** A GraphiQL plugin: a pane with example operations that are ready to run. */
function Examples() {
  const { addTab } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor, variableEditor }) => ({
    queryEditor,
    variableEditor,
  }));
  const [waiting, setWaiting] = useState<Prepared | null>(null);
  const open = async (example: Example) => {
    const prepared = await prepare(example);
    addTab();
    setWaiting(prepared);
  };
  // Runs after the new tab has cleared the editors.
  useEffect(() => {
    if (waiting === null) return;
    queryEditor?.setValue(waiting.query);
    variableEditor?.setValue(waiting.variables);
    setWaiting(null);
  }, [waiting, queryEditor, variableEditor]);
  return (
    <section aria-label={texts.examples} className={classes.examples}>
      <h2 className={classes.examplesTitle}>{texts.examples}</h2>
      <p className={classes.examplesText}>{texts.examplesText}</p>
      <ul className={classes.list}>
        {examples.map((example) => (
          <li key={example.title}>
            <button type="button" className={classes.example} onClick={() => void open(example)}>
              <span className={classes.exampleTitle}>{example.title}</span>
              <span className={classes.exampleText}>{example.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Icon() {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4.5 3.5h11v13h-11ZM7.5 7.5h5M7.5 10.5h5M7.5 13.5h3" />
    </svg>
  );
}

export const examplesPlugin: GraphiQLPlugin = { title: texts.examples, icon: Icon, content: Examples };
