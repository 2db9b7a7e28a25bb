import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { KINDS } from "../quiz-builder/model";
import { Button } from "../ui/Button";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import classes from "./Filters.module.css";
import { type BankFilter, isNarrow, toggled } from "./filter";

/** The most tags that are shown at first. */
const FEW = 12;

export interface TagCount {
  name: string;
  /** Number of questions; not shown without it. */
  count?: number;
}

interface FiltersProps {
  filter: BankFilter;
  tags: readonly TagCount[];
  onChange: (filter: BankFilter) => void;
  /** Whether the search takes the focus when its dialog opens. */
  takesFocus?: boolean;
}

/** The search of a bank: words, the kind, and the tags that a question must all have. */
export function Filters({ filter, tags, onChange, takesFocus }: FiltersProps) {
  const { t } = useTranslation();
  const change = (changed: Partial<BankFilter>) => onChange({ ...filter, page: 1, ...changed });
  return (
    <search className={classes.filters}>
      <div className={classes.fields}>
        <SearchField
          className={classes.words}
          label={t("banks.bank.search")}
          value={filter.search}
          onSearch={(search) => change({ search })}
          {...(takesFocus && { "data-autofocus": true })}
        />
        <Select
          aria-label={t("banks.bank.kind")}
          value={filter.kind}
          onChange={(event) => change({ kind: event.currentTarget.value })}
          options={[
            { value: "", label: t("banks.bank.allKinds") },
            ...KINDS.map((kind) => ({ value: kind, label: t(`quizBuilder.kinds.${kind}`) })),
          ]}
        />
        {isNarrow(filter) && (
          <Button variant="subtle" onClick={() => change({ search: "", tags: [], kind: "" })}>
            {t("banks.bank.reset")}
          </Button>
        )}
      </div>
      <TagFilter
        label={t("banks.bank.tags")}
        tags={tags}
        chosen={filter.tags}
        onChange={(tags) => change({ tags })}
      />
    </search>
  );
}

interface TagFilterProps {
  label: string;
  tags: readonly TagCount[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Tags as buttons with the numbers of their questions. Chosen ones are always shown. */
export function TagFilter({ label, tags, chosen, onChange }: TagFilterProps) {
  const { t } = useTranslation();
  const [isFull, setFull] = useState(false);
  if (tags.length === 0 && chosen.length === 0) return null;
  // A chosen tag may be gone from the bank.
  const gone = chosen.filter((name) => !tags.some((tag) => tag.name === name));
  const all: TagCount[] = [...tags, ...gone.map((name) => ({ name, count: 0 }))];
  const shown = isFull ? all : all.filter(({ name }, index) => index < FEW || chosen.includes(name));
  return (
    <fieldset className={classes.tags}>
      <legend className={classes.legend}>{label}</legend>
      {shown.map(({ name, count }) => (
        <button
          key={name}
          type="button"
          className={classes.tag}
          aria-pressed={chosen.includes(name)}
          onClick={() => onChange(toggled(chosen, name))}
        >
          {name} {count !== undefined && <span className={classes.count}>{count}</span>}
        </button>
      ))}
      {all.length > FEW && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isFull}
          onClick={() => setFull(!isFull)}
        >
          {isFull
            ? t("banks.bank.fewerTags")
            : t("banks.bank.moreTags", { count: all.length - shown.length })}
        </button>
      )}
    </fieldset>
  );
}
