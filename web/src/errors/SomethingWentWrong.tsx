import { Component, type ReactNode, useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./errors.module.css";

interface Props {
  error: unknown;
  /** Retries; without it the button reloads the page. */
  reset?: () => void;
}

/** The fallback for unexpected errors; the message can be shown for a bug report. */
export function SomethingWentWrong({ error, reset }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const messageId = useId();
  return (
    <div className={classes.screen} role="alert">
      <h1 className={classes.title}>{t("errors.somethingWentWrong")}</h1>
      <div className={classes.actions}>
        <Button size="md" onClick={reset ?? (() => window.location.reload())}>
          {t("common.retry")}
        </Button>
        <Button
          size="md"
          variant="default"
          aria-expanded={shown}
          aria-controls={messageId}
          onClick={() => setShown(!shown)}
        >
          {t("errors.message")}
        </Button>
      </div>
      <pre id={messageId} className={classes.message} hidden={!shown}>
        {error instanceof Error ? error.message : String(error)}
      </pre>
    </div>
  );
}

/** An error boundary for one region: the rest of the screen keeps working. A change of `resetKey` retries. */
export class RegionBoundary extends Component<
  { resetKey?: string; children: ReactNode },
  { error: unknown }
> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: { resetKey?: string }) {
    if (before.resetKey !== this.props.resetKey && this.state.error !== undefined) this.reset();
  }

  private reset = () => this.setState({ error: undefined });

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <SomethingWentWrong error={this.state.error} reset={this.reset} />;
  }
}
