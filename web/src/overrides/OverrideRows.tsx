import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { IconButton } from "../ui/IconButton";

import { Row, Rows } from "../ui/Rows";
import { removeOverride } from "./changeOverrides";
import { ExtendDialog } from "./ExtendDialog";
import { factsOf } from "./facts";
import { type Override, partIdOf, targetOf } from "./overrides";

interface Props {
  courseId: string;
  overrides: readonly Override[];
  /** The title of each part by its id. */
  titles: ReadonlyMap<string, string>;
  /** The label of each target by its id. */
  labels: ReadonlyMap<string, string>;
  zone: string;
  mayChange: boolean;
  /** Names the part only: all overrides are of one person. */
  ofOne?: boolean;
  /** Moves the focus when its row has gone with the last override. */
  onEmptied: () => void;
}

/** Overrides as a list, with the actions of those who may change them. */
export function OverrideRows(props: Props) {
  const { courseId, overrides, titles, labels, zone, mayChange, ofOne, onEmptied } = props;
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [now] = useState(() => new Date());
  const [editing, setEditing] = useState<Override | null>(null);
  const removers = useRef(new Map<string, HTMLButtonElement>());
  const remove = (override: Override, text: string) => {
    const at = overrides.indexOf(override);
    const next = overrides[at + 1] ?? overrides[at - 1];
    flushSync(() => removeOverride(client, courseId, override, text));
    const remover = next && removers.current.get(next.id);
    if (remover) remover.focus();
    else onEmptied();
  };
  return (
    <>
      <Rows label={t("overrides.list")}>
        {overrides.map((override) => {
          const name = labels.get(targetOf(override).id) ?? "";
          const part = titles.get(partIdOf(override, courseId)) ?? t("overrides.gone");
          const both = { name, part };
          return (
            <Row
              key={override.id}
              name={ofOne ? part : <TargetLink courseId={courseId} override={override} name={name} />}
              facts={
                <>
                  {!ofOne && <span>{part}</span>}
                  {factsOf(override, now, i18n.language, zone, t).map(([limit, text]) => (
                    <span key={limit}>{text}</span>
                  ))}
                </>
              }
              tools={
                mayChange && (
                  <>
                    <IconButton aria-label={t("overrides.edit", both)} onClick={() => setEditing(override)}>
                      <IconPencil size={18} />
                    </IconButton>
                    <IconButton
                      ref={(button) => {
                        if (button) removers.current.set(override.id, button);
                        else removers.current.delete(override.id);
                      }}
                      aria-label={t("overrides.remove", both)}
                      onClick={() => remove(override, t("overrides.removed", both))}
                    >
                      <IconTrash size={18} />
                    </IconButton>
                  </>
                )
              }
            />
          );
        })}
      </Rows>
      {editing && (
        <ExtendDialog
          courseId={courseId}
          target={targetOf(editing)}
          partId={partIdOf(editing, courseId)}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

function TargetLink({ courseId, override, name }: { courseId: string; override: Override; name: string }) {
  const { group, student } = override;
  return (
    <Link
      to="/edit-course/$courseId"
      params={{ courseId }}
      search={{ tab: "students", ...(student ? { student: student.id } : group && { group: group.id }) }}
    >
      {name}
    </Link>
  );
}
