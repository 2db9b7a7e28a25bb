import { useEffectEvent, useLayoutEffect, useRef } from "react";
import type { Part } from "../dates/parts";
import type { useGuardedForm } from "../forms/useGuardedForm";
import { editsOf, type Values } from "./overrides";

/**
 * Gives the form of an override new initial values when another part or person is chosen, or others change the override. What was changed
 * in the form stays, and stays visible. Waits while `values` are not known yet.
 */
export function useInitialValues(
  form: ReturnType<typeof useGuardedForm<Values>>,
  values: Values,
  part: Part,
  place: string,
  isKnown: boolean,
) {
  const shown = useRef({ values, place });
  const follow = useEffectEvent((values: Values, place: string) => {
    const before = shown.current;
    shown.current = { values, place };
    const isSame = (Object.keys(values) as (keyof Values)[]).every((it) => values[it] === before.values[it]);
    if (isSame) return;
    const edits = editsOf(form.getValues(), before.values, part, before.place === place);
    form.reset(values);
    for (const [field, value] of Object.entries(edits))
      form.setValue(field as keyof Values, value, { shouldDirty: true });
  });
  useLayoutEffect(() => {
    if (isKnown) follow(values, place);
  }, [values, place, isKnown]);
}
