import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { SearchField } from "../ui/SearchField";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { CourseDatesDocument } from "./CourseDates.generated";
import classes from "./PrerequisitesDialog.module.css";
import { changePart, type Part, partsOf } from "./parts";
import { partTitle } from "./partTitle";
import { canBeNeeded, prerequisitesOf, withChoices } from "./prerequisites";
import { reasonOf } from "./reasonOf";
import { toastSaved } from "./toastSaved";

interface Props {
  courseId: string;
  /** The module or lesson. */
  id: string;
  title: string;
  onClose: () => void;
}

/** The modules and lessons that must be complete before a module or a lesson opens. */
export default function PrerequisitesDialog({ courseId, id, title, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  const parts = data ? partsOf(data.course) : [];
  const part = parts.find((one) => one.id === id);
  return (
    <Dialog open onClose={onClose} title={t("dates.prerequisites.title", { title })}>
      {part ? (
        <Choices part={part} parts={parts} sequential={data?.course.sequential ?? false} />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<TextSkeleton lines={6} />}
        />
      )}
    </Dialog>
  );
}

/** From so many choices on there is a search field. */
const SEARCHED = 12;

interface ChoicesProps {
  part: Part;
  parts: readonly Part[];
  sequential: boolean;
}

function Choices({ part, parts, sequential }: ChoicesProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const { chosen, problem, toggle } = useChosen(part);
  const choices = parts.filter((one) => canBeNeeded(one, part));
  const wanted = words.trim().toLocaleLowerCase();
  const found = choices.filter((one) => partTitle(one, t).toLocaleLowerCase().includes(wanted));
  return (
    <div className={classes.choices}>
      <p className={classes.text}>
        {t(choices.length > 0 ? "dates.prerequisites.text" : "dates.prerequisites.none")}
      </p>
      {sequential && <p className={classes.text}>{t("dates.prerequisites.sequential")}</p>}
      {choices.length >= SEARCHED && (
        <SearchField label={t("dates.prerequisites.search")} value={words} onSearch={setWords} />
      )}
      {choices.length > 0 && (
        <fieldset className={classes.list} aria-label={t("dates.prerequisites.label")}>
          {found.map((one) => (
            <div key={one.id} data-kind={one.kind}>
              <Checkbox
                label={partTitle(one, t)}
                checked={chosen.has(one.id)}
                onChange={() => toggle(one.id)}
              />
            </div>
          ))}
          {found.length === 0 && <p className={classes.text}>{t("dates.prerequisites.notFound")}</p>}
        </fieldset>
      )}
      <p className={classes.problem} role="alert">
        {problem}
      </p>
    </div>
  );
}

/**
 * The chosen prerequisites: each choice is saved at once, and one that the server refuses is taken back with the reason. «Отменить» takes
 * back the one choice; if somebody else has changed the list since it was read, nothing is saved, and the list is read again.
 */
function useChosen(part: Part) {
  const client = useApolloClient();
  const stored = prerequisitesOf(part);
  /** Choices that are not saved yet: whether each part is chosen. */
  const [pending, setPending] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const known = useRef(stored);
  const saving = useRef(Promise.resolve());
  const isShown = useRef(true);
  useEffect(() => {
    known.current = stored;
  }, [stored]);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const chosen = withChoices(stored, pending);
  const toggle = (id: string) => {
    const isChosen = !chosen.has(id);
    setPending((before) => new Map(before).set(id, isChosen));
    setProblem(null);
    // One after another: each is saved together with those that were saved, and none fails because of another one.
    saving.current = saving.current.then(async () => {
      const choose = async (isChosen: boolean) => {
        const read = { prerequisites: known.current };
        const next = [...withChoices(known.current, new Map([[id, isChosen]]))];
        await changePart(client, part, { prerequisites: next }, read);
        known.current = next;
      };
      try {
        await choose(isChosen);
        toastSaved(() => {
          const undone = saving.current.then(() => choose(!isChosen));
          saving.current = undone.catch(() => undefined);
          return undone;
        });
      } catch (error) {
        if (isShown.current) setProblem(reasonOf(error));
        else toastFailure(error);
      }
      setPending((before) => {
        if (before.get(id) !== isChosen) return before;
        const rest = new Map(before);
        rest.delete(id);
        return rest;
      });
    });
  };
  return { chosen, problem, toggle };
}
