import { useId } from "react";
import classes from "./RadioGroup.module.css";

interface Props<T extends string> {
  label: string;
  value: T;
  /** `about` says below the label what the option means; then the options are as wide as each other. */
  options: readonly { value: T; label: string; lang?: string; about?: string }[];
  onChange: (value: T) => void;
}

/** A labelled group of radio buttons. */
export function RadioGroup<T extends string>({ label, value, options, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset className={classes.group} data-explained={options.some(({ about }) => about) || undefined}>
      <legend className={classes.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={classes.option} lang={option.lang}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.about === undefined ? (
            option.label
          ) : (
            <span>
              {option.label}
              <span className={classes.about}>{option.about}</span>
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
