import { useQuery } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { OverrideTimesInput } from "../api/schema.generated";
import type { Part } from "../dates/parts";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { OverrideTimesDocument, type OverrideTimesQuery } from "./Overrides.generated";
import type { Override, Target } from "./overrides";

export type Times = OverrideTimesQuery["overrideTimes"];

/** Returns the input for a part and the target of its override; without a target, the dates are those of everyone. */
export function timesInput(courseId: string, target: Target | null, part: Part): OverrideTimesInput {
  const whom = target && { [target.kind === "group" ? "groupId" : "enrollmentId"]: target.id };
  return { courseId, ...whom, ...(part.kind !== "course" && { [`${part.kind}Id`]: part.id }) };
}

/**
 * The effective dates of a part, computed by the server: with the stored override, or with the typed dates after a short delay. Until the
 * response arrives, the last one for the same part and target is returned. The dates are read again when overrides of the course change; with
 * `isSkipped` nothing is read.
 */
export function useTimes(
  of: OverrideTimesInput,
  overrides: readonly Override[],
  limits?: OverrideTimesInput["limits"],
  isSkipped = false,
) {
  const settled = useDebouncedValue(JSON.stringify(limits ?? null));
  const variables = { of: settled === "null" ? of : { ...of, limits: JSON.parse(settled) } };
  const { data, error, refetch } = useQuery(OverrideTimesDocument, {
    variables,
    skip: isSkipped,
    fetchPolicy: "no-cache",
  });
  const place = JSON.stringify(of);
  const [last, setLast] = useState({ place, times: data?.overrideTimes });
  if (data && data.overrideTimes !== last.times) setLast({ place, times: data.overrideTimes });
  const reload = useEffectEvent(() => {
    if (!isSkipped) void refetch().catch(() => undefined);
  });
  const read = useRef(overrides);
  useEffect(() => {
    if (read.current === overrides) return;
    read.current = overrides;
    reload();
  }, [overrides]);
  const times = data?.overrideTimes ?? (last.place === place ? last.times : undefined);
  return { times, error, retry: () => void refetch().catch(() => undefined) };
}
