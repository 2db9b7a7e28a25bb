import { Document } from "../../content/Document";
import { isNode } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import type { Zone } from "../../quiz/hotspot/zones";
import type { FieldChange } from "./diffQuiz";
import { Marked, Merged } from "./Merged";
import { mergeDocuments } from "./mergeNodes";
import styles from "./PageDiff.module.css";
import type { FieldName, Value } from "./quizFields";
import { commonPairs } from "./sequence";
import { TextChange, ValueChange } from "./ValueChange";
import { runsOf } from "./words";

/** Changed fields of a question, or of the settings of a quiz, each by its name with what it was and what it is. */
export function FieldChanges({ fields }: { fields: FieldChange[] }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.fields}>
      {fields.map(({ key, name, number, before, after }) => (
        <div key={key}>
          <dt>{t(`compare.fields.${name}`, { number })}</dt>
          <dd>
            <FieldValue name={name} before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Sides {
  name: FieldName;
  before: Value | null;
  after: Value | null;
}

function FieldValue({ name, before, after }: Sides) {
  const { t } = useTranslation();
  const wordOf = useWords();
  const known = after ?? before;
  if (!known) return null;
  if ("document" in known) {
    const [was, now] = [before, after].map((value) => (value && "document" in value ? value.document : null));
    return name === "picture" ? (
      <Pictures before={was} after={now} />
    ) : (
      <Merged blocks={mergeDocuments(was, now)} />
    );
  }
  if ("list" in known) {
    const [was, now] = [before, after].map((value) => (value && "list" in value ? value.list : []));
    return <Lists before={was ?? []} after={now ?? []} />;
  }
  if ("order" in known) {
    const [was, now] = [before, after].map((value) => (value && "order" in value ? value.order : []));
    return <Orders before={was ?? []} after={now ?? []} />;
  }
  if ("text" in known) {
    const [was, now] = [before, after].map((value) => (value && "text" in value ? value.text : ""));
    return <TextChange before={was ?? ""} after={now ?? ""} />;
  }
  if ("hidden" in known) return <>{t("compare.otherwise")}</>;
  const unset = t(LIMITS.has(name) ? "compare.unlimited" : "compare.none");
  return <ValueChange before={wordOf(before) ?? unset} after={wordOf(after) ?? unset} />;
}

/** Fields without which something is not limited. */
const LIMITS = new Set<FieldName>(["settings.max_attempts", "settings.time_limit_seconds", "maxWords"]);

/** Values that are a word, in words; null without a value. */
function useWords(): (value: Value | null) => string | null {
  const { t, i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 6 });
  return (value) => {
    if (!value) return null;
    if ("flag" in value) return t(value.flag ? "compare.yes" : "compare.no");
    if ("number" in value) return numbers.format(value.number);
    if ("word" in value) return t(value.word as "quizBuilder.kinds.essay");
    if ("zone" in value) return zoneText(value.zone);
    return null;
  };

  function zoneText(zone: Zone): string {
    const at = (number: number) => numbers.format(number);
    if (zone.shape === "polygon")
      return t("compare.zone.polygon", {
        corners: zone.corners.map(({ x, y }) => `${at(x)} × ${at(y)}`).join("; "),
      });
    const [width, height] =
      zone.shape === "rectangle" ? [zone.width, zone.height] : [zone.radius_x, zone.radius_y];
    return t(`compare.zone.${zone.shape}`, {
      x: at(zone.x),
      y: at(zone.y),
      width: at(width),
      height: at(height),
    });
  }
}

function Pictures({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation();
  return (
    <div className={styles.columns}>
      {[before, after].map((document, at) => (
        <div key={at === 0 ? "before" : "after"} className={styles.column}>
          <p className={styles.sideName}>{t(at === 0 ? "compare.before" : "compare.after")}</p>
          {isNode(document) ? <Document content={document} /> : t("compare.none")}
        </div>
      ))}
    </div>
  );
}

function Lists({ before, after }: { before: string[]; after: string[] }) {
  const runs = runsOf(commonPairs(before, after), before.length, after.length);
  return (
    <ul className={styles.list}>
      {runs.flatMap((run) => [
        ...(run.kind === "same" ? [] : before.slice(...run.before)).map((text) => (
          <li key={`- ${text}`}>
            <Marked change="removed">{text}</Marked>
          </li>
        )),
        ...after
          .slice(...run.after)
          .map((text) => (
            <li key={`+ ${text}`}>{run.kind === "same" ? text : <Marked change="added">{text}</Marked>}</li>
          )),
      ])}
    </ul>
  );
}

type Order = { id: string; text: string }[];

function Orders({ before, after }: { before: Order; after: Order }) {
  const { t } = useTranslation();
  return (
    <div className={styles.columns}>
      {[before, after].map((order, at) => (
        <div key={at === 0 ? "before" : "after"} className={styles.column}>
          <p className={styles.sideName}>{t(at === 0 ? "compare.before" : "compare.after")}</p>
          <ol className={styles.order}>
            {order.map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}
