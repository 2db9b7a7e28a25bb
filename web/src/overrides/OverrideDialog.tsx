import { useApolloClient, useQuery } from "@apollo/client/react";
import { useMemo, useState } from "react";
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
import { ConflictNote } from "./ConflictNote";
import { OverrideConflict, setOverride, toastSet } from "./changeOverrides";
import { LimitField } from "./LimitField";
import { OverrideStudentGroupDocument } from "./Overrides.generated";
import classes from "./Overrides.module.css";
import {
  type Aim,
  holding,
  isSuggested,
  type Layer,
  labelOf,
  layerOf,
  limitsInput,
  limitsOf,
  limitsOfOverride,
  type Override,
  partIdOf,
  placeInput,
  type Target,
  targetOf,
  typedLayer,
  type Values,
  valuesOf,
  withoutAdded,
  withoutSuggested,
} from "./overrides";
import { TargetPicker } from "./TargetPicker";
import { useBase, useFollowBase } from "./useBase";
import { useInitialValues } from "./useInitialValues";
import { useOverrides } from "./useOverrides";

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
    const props = { courseId, target, partId, aim, onClose, parts, overrides };
    if (parts.length > 0) return <OverrideForm {...props} zone={zoneOf(course.timeZone)} />;
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

/** The override that was saved, and the one that undoing restores. */
interface Saved {
  set: Override | undefined;
  before: Override | undefined;
}

interface FormProps extends Props {
  aim: Aim;
  parts: readonly Part[];
  overrides: readonly Override[];
  zone: string;
}

function OverrideForm({
  courseId,
  target: given,
  partId: firstPart,
  aim,
  parts,
  overrides: current,
  zone,
  onClose,
}: FormProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [now] = useState(() => new Date());
  // What is being saved arrives in the list before the form closes, and must not become what is typed.
  const [frozen, setFrozen] = useState<readonly Override[] | null>(null);
  const overrides = frozen ?? current;
  const [picked, setPicked] = useState<Target | null>(null);
  const target = given ?? picked;
  const [partId, setPartId] = useState(firstPart);
  const part = parts.find(({ id }) => id === partId) ?? (parts[0] as Part);
  const { group, error: groupError, retry: retryGroup } = useGroupOf(target);
  const layers = useMemo(() => {
    const of = (one: Target) => {
      const own = overrides.filter((override) => targetOf(override).id === one.id);
      return layerOf(own, courseId, zone);
    };
    return { own: of(target ?? NOBODY), group: of(group ?? NOBODY) };
  }, [overrides, courseId, zone, target, group]);
  const ofPart = (one: Target | null | undefined) =>
    overrides.find(
      (override) => targetOf(override).id === one?.id && partIdOf(override, courseId) === part.id,
    );
  const existing = ofPart(target);
  const ofGroup = ofPart(group);
  const values = useMemo(
    () =>
      valuesOf(
        existing,
        part,
        aim,
        (limit) => holding(part, limit, [layers.own, layers.group], zone),
        zone,
        i18n.language,
        ofGroup,
      ),
    [existing, ofGroup, part, aim, layers, zone, i18n.language],
  );
  /** What is stored instead of what was read; undefined without a conflict. */
  const [conflict, setConflict] = useState<Override | null>();
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
      const expected = read ? limitsOfOverride(read) : null;
      const limits = limitsInput(part, withoutSuggested(typed, values, existing), now, zone, read);
      try {
        const set = await setOverride(client, {
          ...placeInput(courseId, target as Target, part),
          ...(adds ? { addAttempts: 1 } : { ...limits, expected }),
        });
        return { set, before: adds && set ? withoutAdded(set, read, ofGroup) : read };
      } catch (error) {
        setFrozen(null);
        const stored = error instanceof OverrideConflict ? error.stored : undefined;
        if (stored !== undefined) base.rebase(stored ?? undefined);
        setConflict(stored);
        throw error;
      }
    },
    onSaved: ({ set, before }) =>
      toastSet(client, courseId, set, before, t("overrides.saved", { name: target?.name ?? "" })),
    serverFields: { addAttempts: "extraAttempts" },
    refusalAt: limitsOf(part)[0] ?? "availableUntil",
    close: onClose,
  });
  const place = `${target?.id}/${part.id}`;
  useInitialValues(form, values, part, place, group !== undefined);
  useFollowBase(base, existing, place, form.isDirty);
  const typed = form.watch();
  const typedLayers: Layer[] = [typedLayer(layers.own, part, typed, now), layers.group];
  const isReady = target !== null && group !== undefined && (form.isDirty || aim === "attempts");
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
      <ConflictNote stored={conflict} zone={zone} now={now} />
      {group === undefined && (
        <QueryState error={groupError} retry={retryGroup} heading="p" loading={<TextSkeleton lines={8} />} />
      )}
      {group !== undefined &&
        limitsOf(part).map((limit) => (
          <LimitField
            key={limit}
            limit={limit}
            part={part}
            group={group}
            zone={zone}
            form={form}
            isSuggested={(limit) => isSuggested(limit, form.getValues(), values, existing)}
            ofGroup={ofGroup}
            layers={layers}
            typedLayers={typedLayers}
          />
        ))}
    </FormDialog>
  );
}

const NOBODY: Target = { kind: "student", id: "", name: "" };

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
