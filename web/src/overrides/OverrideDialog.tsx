import { useApolloClient, useQuery } from "@apollo/client/react";
import { Fragment, useMemo, useState } from "react";
import { conflictError } from "../api/apiError";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { type Part, partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { zoneOf } from "../dates/typed";
import { zoneText } from "../dates/zoneText";
import { QueryState } from "../errors/QueryState";
import { FormDialog } from "../forms/FormDialog";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Select";
import { TextSkeleton } from "../ui/Skeletons";
import { type Conflict, ConflictNote } from "./ConflictNote";
import { OverrideConflict, setOverride, toastSet, toastSetTogether } from "./changeOverrides";
import { EarlierEnds } from "./EarlierEnds";
import { hasUnseen, movable } from "./ends";
import { LimitField } from "./LimitField";
import { OverrideStudentGroupDocument, OverrideTimesDocument } from "./Overrides.generated";
import classes from "./Overrides.module.css";
import {
  type Aim,
  isDeadlineTyped,
  isSuggested,
  LIMITS,
  labelOf,
  limitsInput,
  limitsOf,
  type Override,
  partIdOf,
  placeInput,
  type Target,
  targetOf,
  typedDates,
  type Values,
  valuesOf,
  withoutAdded,
  withoutSuggested,
} from "./overrides";
import { StillEarlier } from "./StillEarlier";
import { type Saved, saveOverride, whomOf } from "./saveOverride";
import { TargetPicker } from "./TargetPicker";
import { useBase, useFollowBase } from "./useBase";
import { useInitialValues } from "./useInitialValues";
import { useOverrides } from "./useOverrides";
import { timesInput, useTimes } from "./useTimes";

interface Props {
  courseId: string;
  /** Whom the override is for; chosen in the dialog without it. */
  target?: Target | undefined;
  /** The part that is chosen at first. */
  partId?: string | undefined;
  aim?: Aim;
  onClose: () => void;
}

/** The dialog that gives a student or a group other dates or more attempts. */
export default function OverrideDialog({ courseId, target, partId, aim = "dates", onClose }: Props) {
  const { t } = useTranslation();
  const dates = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  const { overrides, error, reload } = useOverrides(courseId);
  const course = dates.data?.course;
  if (course && overrides) {
    const all = partsOf(course);
    const parts = aim === "attempts" ? all.filter((part) => limitsOf(part).includes("extraAttempts")) : all;
    const props = {
      courseId,
      target,
      partId,
      aim,
      onClose,
      all,
      parts,
      overrides,
      timeZone: course.timeZone,
    };
    if (parts.length > 0) return <OverrideForm {...props} />;
  }
  return (
    <Dialog open onClose={onClose} title={titleOf(target, aim, t)}>
      {course && overrides ? (
        <p>{t("overrides.noQuizzes")}</p>
      ) : (
        <QueryState
          error={dates.error ?? error}
          retry={() => {
            void dates.refetch().catch(() => undefined);
            reload();
          }}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      )}
    </Dialog>
  );
}

function titleOf(target: Target | undefined, aim: Aim, t: ReturnType<typeof useTranslation>["t"]) {
  if (!target) return t(aim === "attempts" ? "overrides.title.attempts" : "overrides.title.dates");
  return t(aim === "attempts" ? "overrides.title.attemptsFor" : "overrides.title.datesFor", {
    name: labelOf(target, t, false),
  });
}

const noConflict = { stored: undefined, others: [] as readonly string[] };

interface FormProps extends Props {
  aim: Aim;
  /** All parts of the course, and the parts that can be chosen. */
  all: readonly Part[];
  parts: readonly Part[];
  overrides: readonly Override[];
  /** The time zone of the course; null is UTC. */
  timeZone: string | null;
}

function OverrideForm({
  courseId,
  target: given,
  partId: firstPart,
  aim,
  all,
  parts,
  overrides: current,
  timeZone,
  onClose,
}: FormProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const zone = zoneOf(timeZone);
  const [now] = useState(() => new Date());
  // What is being saved arrives in the list before the form closes, and must not become what is typed.
  const [frozen, setFrozen] = useState<readonly Override[] | null>(null);
  const overrides = frozen ?? current;
  const [picked, setPicked] = useState<Target | null>(null);
  const target = given ?? picked;
  const [partId, setPartId] = useState(firstPart);
  const part = parts.find(({ id }) => id === partId) ?? (parts[0] as Part);
  const { group, error: groupError, retry: retryGroup } = useGroupOf(target);
  const ofPart = (one: Target | null | undefined, id = part.id) =>
    overrides.find((override) => targetOf(override).id === one?.id && partIdOf(override, courseId) === id);
  const existing = ofPart(target);
  const ofGroup = ofPart(group);
  const of = timesInput(courseId, target, part);
  const { times: held, error: timesError, retry: retryTimes } = useTimes(of, overrides);
  const values = useMemo(
    () => valuesOf(existing, part, aim, (limit) => held?.result[limit] ?? null, zone, i18n.language, ofGroup),
    [existing, ofGroup, part, aim, held, zone, i18n.language],
  );
  /** Whether ends before the new deadline are moved to it. */
  const [movesEnds, setMovesEnds] = useState(true);
  const [conflict, setConflict] = useState<Conflict>();
  const base = useBase(existing);
  const form = useGuardedForm<Values, Saved>({
    name: "override",
    subject: `${courseId}/${given?.id ?? ""}/${firstPart ?? ""}`,
    defaultValues: values,
    save: async (typed): Promise<Saved> => {
      setFrozen(overrides);
      const read = base.current();
      // An addition does not depend on what was read: if two people add at once, both additions count.
      const adds = aim === "attempts" && !form.isDirty;
      const kept = withoutSuggested(typed, values, existing);
      try {
        if (adds) {
          const set = await setOverride(client, {
            ...placeInput(courseId, target as Target, part),
            addAttempts: 1,
          });
          return { set, before: set && withoutAdded(set, read, ofGroup) };
        }
        return await saveOverride(client, {
          courseId,
          target: target as Target,
          part,
          limits: limitsInput(part, kept, now, zone, read),
          read,
          timeZone,
          ends: movesEnds && isDeadlineTyped(typed, values) ? await readEnds(typed, kept) : null,
          parts: all,
          storedAt: (id) => ofPart(target, id),
        });
      } catch (error) {
        setFrozen(null);
        const { stored, others } = error instanceof OverrideConflict ? error : noConflict;
        if (stored !== undefined) base.rebase(stored ?? undefined);
        // The time zone may have changed: the times are then validated in the new one.
        else if (error instanceof OverrideConflict && others.length === 0)
          void client.refetchQueries({ include: [CourseDatesDocument] });
        setConflict({ stored, others: all.filter(({ id }) => others.includes(id)) });
        throw error;
      }
    },
    onSaved: ({ set, before, together }) => {
      const name = target?.name ?? "";
      if (!together) return toastSet(client, courseId, set, before, t("overrides.saved", { name }));
      const titles = together.parts.map((one) => partTitle(one, t));
      const listed = new Intl.ListFormat(i18n.language).format(titles);
      const text = t("overrides.savedTogether", { name, parts: listed });
      toastSetTogether(client, whomOf(courseId, target as Target), together.changes, together.set, text);
    },
    serverFields: {
      addAttempts: "extraAttempts",
      // In a request with several overrides, the first entry is the override of this part.
      ...Object.fromEntries(LIMITS.map((limit) => [`overrides[0].${limit}`, limit])),
    },
    refusalAt: limitsOf(part)[0] ?? "availableUntil",
    close: onClose,
  });
  /**
   * Reads the ends before the deadline that is saved: the note in the form may be older than the last keystroke. Rejects if the note has not
   * shown all of them, and shows them: nothing is moved unseen.
   */
  const readEnds = async (typed: Values, kept: Values) => {
    const limits = typedDates(part, kept, now, zone);
    if (!limits.dueAt && !limits.lateUntil) return null;
    const variables = { of: { ...of, limits } };
    const { data } = await client.query({ query: OverrideTimesDocument, variables, fetchPolicy: "no-cache" });
    const ends = data && movable(data.overrideTimes, courseId, part, typed, values);
    if (ends && hasUnseen(ends, shownEnds, courseId)) {
      withTyped.retry();
      throw conflictError(t("overrides.ends.unseen"));
    }
    return ends ?? null;
  };
  const place = `${target?.id}/${part.id}`;
  const isKnown = group !== undefined && held !== undefined;
  useInitialValues(form, values, part, place, isKnown);
  useFollowBase(base, existing, place, form.isDirty);
  const typed = form.watch();
  const typedNow = form.isDirty
    ? typedDates(part, withoutSuggested(typed, values, existing), now, zone)
    : undefined;
  const withTyped = useTimes(of, overrides, typedNow, !typedNow);
  const times = (typedNow && withTyped.times) ?? held;
  const shownEnds =
    typedNow && withTyped.times && isDeadlineTyped(typed, values)
      ? movable(withTyped.times, courseId, part, typed, values)
      : null;
  const isReady = target !== null && isKnown && (form.isDirty || aim === "attempts");
  return (
    <FormDialog
      title={titleOf(given, aim, t)}
      form={form}
      submit={t(aim === "attempts" ? "overrides.give" : "overrides.save")}
      disabled={!isReady}
      className={classes.form}
      onClose={onClose}
    >
      {!given && <TargetPicker courseId={courseId} target={picked} onChoose={setPicked} />}
      <Select
        label={t("overrides.part")}
        value={part.id}
        onChange={(event) => setPartId(event.currentTarget.value)}
        options={parts.map((one) => ({
          value: one.id,
          label: `${"\u2003".repeat(aim === "attempts" ? 0 : one.above.length)}${partTitle(one, t)}`,
        }))}
      />
      <p className={classes.dim}>{zoneText("dates.table.zone", zone, now, t)}</p>
      <ConflictNote conflict={conflict} zone={zone} now={now} />
      {!isKnown && (
        <QueryState
          error={groupError ?? timesError}
          retry={() => {
            retryGroup();
            retryTimes();
          }}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      )}
      {isKnown &&
        times &&
        limitsOf(part).map((limit) => (
          <Fragment key={limit}>
            <LimitField
              limit={limit}
              part={part}
              group={group}
              zone={zone}
              form={form}
              isSuggested={(limit) => isSuggested(limit, form.getValues(), values, existing)}
              ofGroup={ofGroup}
              times={times}
            />
            {limit === "dueAt" && shownEnds && (
              <EarlierEnds
                ends={shownEnds}
                courseId={courseId}
                parts={all}
                zone={zone}
                isMoved={movesEnds}
                onMove={setMovesEnds}
              />
            )}
          </Fragment>
        ))}
      {isKnown && typedNow && withTyped.times && (
        <StillEarlier times={withTyped.times} courseId={courseId} parts={all} zone={zone} />
      )}
    </FormDialog>
  );
}

/** The group whose overrides a student inherits; null for a group and for a student without one, undefined until it is known. */
function useGroupOf(target: Target | null) {
  const isStudent = target?.kind === "student";
  const { data, error, refetch } = useQuery(OverrideStudentGroupDocument, {
    variables: { id: target?.id ?? "" },
    skip: !isStudent,
    fetchPolicy: "no-cache",
  });
  const found = isStudent ? data?.enrollment.student.group : null;
  const group = useMemo(
    (): Target | null | undefined => found && { kind: "group", id: found.id, name: found.title },
    [found],
  );
  return { group, error, retry: () => void refetch().catch(() => undefined) };
}
