import { type ComponentProps, useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Colours.module.css";
import { PRESETS } from "./design";
import { paletteOf } from "./palette";

interface Colour {
  accent: string;
  background: string;
}

interface Props extends Colour {
  /** The attributes of the two fields. */
  fields: Record<keyof Colour, ComponentProps<"input"> & { error?: string | undefined }>;
  onPick: (colours: Colour) => void;
}

/** The two colours of certificates, each chosen freely, or both from a list. */
export function Colours({ accent, background, fields, onPick }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const isChanged = paletteOf({ accent, background }).accent !== accent.toLowerCase();
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("courseSettings.certificates.colours")}</legend>
      <div className={classes.presets}>
        {PRESETS.map((preset) => (
          <button
            key={preset.name}
            type="button"
            className={classes.preset}
            aria-pressed={preset.accent === accent && preset.background === background}
            aria-label={t(`courseSettings.certificates.presets.${preset.name}`)}
            title={t(`courseSettings.certificates.presets.${preset.name}`)}
            style={{ background: preset.background }}
            onClick={() => onPick(preset)}
          >
            <span style={{ background: preset.accent }} />
          </button>
        ))}
      </div>
      {(["accent", "background"] as const).map((name) => {
        const { error, ...attributes } = fields[name];
        return (
          <label key={name} className={classes.colour}>
            <input {...attributes} type="color" aria-describedby={error ? `${id}-${name}` : undefined} />
            {t(`courseSettings.certificates.${name}`)}
            {error && (
              <span className={classes.error} id={`${id}-${name}`}>
                {error}
              </span>
            )}
          </label>
        );
      })}
      <p className={classes.hint} role="status">
        {isChanged && t("courseSettings.certificates.accentChanged")}
      </p>
    </fieldset>
  );
}
