import { useQuery } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { OverrideTimesInput } from "../api/schema.generated";
import type { Part } from "../dates/parts";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { OverrideTimesDocument, type OverrideTimesQuery } from "./Overrides.generated";
import type { Override, Target } from "./overrides";

export type Times = OverrideTimesQuery["overrideTimes"];

/** Returns a part and whom an override of it is for, as the server takes them; without a target, everybody. */
export function timesInput(courseId: string, target: Target | null, part: Part): OverrideTimesInput {
  const whom = target && { [target.kind === "group" ? "groupId" : "enrollmentId"]: target.id };
  return { courseId, ...whom, ...(part.kind !== "course" && { [`${part.kind}Id`]: part.id }) };
}

/**
 * What holds for a part, by the server: with the stored override, or with typed dates soon after they are typed. What arrived last for the same
 * part and person stays until then. Read again when the overrides of the course change; nothing is read while `isSkipped`.
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
