import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useRef, useState } from "react";
import { groups } from "./examples";
import { type Example, type Prepared, prepare, upload } from "./examples/example";
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
  const chooser = useRef<HTMLInputElement>(null);
  /** The example whose file is being chosen. */
  const [choosing, setChoosing] = useState<Example | null>(null);
  /** Why an example did not open. */
  const [failure, setFailure] = useState<{ of: Example; text: string } | null>(null);
  const open = async (example: Example, file?: File) => {
    try {
      const prepared = await prepare(example, file && (await upload(file)));
      addTab();
      setWaiting(prepared);
    } catch (error) {
      setFailure({ of: example, text: (error instanceof Error && error.message) || texts.uploadFailed });
    }
  };
  const start = (example: Example) => {
    setFailure(null);
    if (!example.accept) return void open(example);
    setChoosing(example);
    if (chooser.current) {
      chooser.current.accept = example.accept;
      chooser.current.click();
    }
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
      <input
        ref={chooser}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file && choosing) void open(choosing, file);
          currentTarget.value = "";
        }}
      />
      {groups.map(({ title, examples }) => (
        <section key={title} aria-label={title}>
          <h3 className={classes.groupTitle}>{title}</h3>
          <ul className={classes.list}>
            {examples.map((example) => (
              <li key={example.title}>
                <button type="button" className={classes.example} onClick={() => start(example)}>
                  <span className={classes.exampleTitle}>{example.title}</span>
                  <span className={classes.exampleText}>{example.text}</span>
                </button>
                <p role="alert" className={classes.failure}>
                  {failure?.of === example && failure.text}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
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
