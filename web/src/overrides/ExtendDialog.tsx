import { type ComponentProps, lazy, Suspense } from "react";
import { withTexts } from "../i18n";

const OverrideDialog = lazy(() => withTexts(import("./OverrideDialog"), "overrides", "dates"));

/** The dialog «Продлить срок», loaded when it opens. */
export function ExtendDialog(props: ComponentProps<typeof OverrideDialog>) {
  return (
    <Suspense fallback={null}>
      <OverrideDialog {...props} />
    </Suspense>
  );
}
