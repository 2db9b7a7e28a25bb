import { type ComponentProps, type ComponentType, useEffect, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import type { PostEditor } from "./PostEditor";
import classes from "./Questions.module.css";

type Props = ComponentProps<typeof PostEditor>;

const load = () =>
  withTexts(import("./PostEditor"), "editor", "forms", "quiz").then(({ PostEditor }) => PostEditor);

let loaded: ComponentType<Props> | null = null;

/** Loads the editor before it is needed. A failure is repeated when it is. */
export const preloadPostEditor = () => void load().catch(() => {});

/** The editor of posts, which is loaded when somebody writes. */
export function LazyPostEditor(props: Props) {
  const { t } = useTranslation();
  const [Loaded, setLoaded] = useState(() => loaded);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    if (Loaded || failure) return;
    let isCurrent = true;
    load().then(
      (component) => {
        loaded = component;
        if (isCurrent) setLoaded(() => component);
      },
      (error: unknown) => {
        if (isCurrent) setFailure({ error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [Loaded, failure]);
  if (Loaded) return <Loaded {...props} />;
  if (!failure) return <SkeletonBlock height="11rem" />;
  return (
    <div className={classes.ask}>
      <LoadFailure error={failure.error} retry={() => setFailure(null)} heading="p" />
      <div>
        <Button variant="subtle" onClick={props.onClose}>
          {t("ui.cancel")}
        </Button>
      </div>
    </div>
  );
}
