import type { ParseKeys } from "i18next";
import { type FormEvent, type RefObject, useRef } from "react";
import { flushSync } from "react-dom";
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { failureText, toastFailure } from "../ui/toasts";
import { useLeaveGuard } from "./useLeaveGuard";

interface Saving<T, R> {
  /** Saves the values; rejects with the server's refusal. */
  save: (values: T) => R | Promise<R>;
  /** Shows a refusal at its field instead of `serverFields` and `refusalAt`. */
  onRefused?: (error: unknown) => void;
  /** Called when the values are saved; may leave the screen. */
  onSaved?: (result: R, values: T) => unknown;
  /** Closes the form after `onSaved`. Not called when something was typed during the saving: that stays as a change. */
  close?: (() => void) | undefined;
  /** Saving twice would do it twice, as when something is created: nothing can be typed during the saving. */
  isOnce?: boolean;
  confirm?: undefined;
}

/** A form that asks before it saves. */
interface Confirming<T> {
  /** Asks with the valid values. What saves them calls `reset`. */
  confirm: (values: T) => void;
  save?: undefined;
  onRefused?: undefined;
  onSaved?: undefined;
  close?: undefined;
  isOnce?: undefined;
}

type Options<T extends FieldValues, R> = (Saving<T, R> | Confirming<T>) & Settings<T>;

interface Settings<T extends FieldValues>
  extends Pick<UseFormProps<T>, "mode" | "values" | "defaultValues" | "resolver" | "criteriaMode"> {
  /** Unique among the forms. `FORMS` in e2e/all-forms.ts walks through the form under this name. */
  name: string;
  /** Distinguishes the forms of one name, such as the id of the edited course. */
  subject?: string | undefined;
  /** Fields that are never stored on the device, such as passwords. */
  secrets?: readonly FieldPath<T>[];
  /** The fields of the form for the server's names of them, where the two differ. */
  serverFields?: Record<string, FieldPath<T>>;
  /** The field that shows a refusal which names no field of the form. */
  refusalAt?: FieldPath<T>;
}

/** The result of a rule: the key of its text, or null for a valid value. */
type Rule<V> = (value: V) => ParseKeys | null;

/**
 * A form whose text cannot be lost silently (see `useLeaveGuard`): react-hook-form, saving, and the server's refusals at their fields.
 * Spread `props` into the form element and `field(…)` into its fields.
 */
export function useGuardedForm<T extends FieldValues, R = unknown>({
  name,
  subject = "",
  secrets = [],
  confirm,
  save,
  onRefused,
  onSaved,
  close,
  isOnce,
  serverFields = {},
  refusalAt,
  ...options
}: Options<T, R>) {
  const { t } = useTranslation();
  const form: UseFormReturn<T> = useForm<T>({
    // New values from the server replace only the fields that were not edited.
    resetOptions: { keepDirtyValues: true },
    ...options,
  });
  // `reset` takes `resetOptions` too, and would keep what it shall replace.
  const reset: UseFormReturn<T>["reset"] = (values, keep) =>
    form.reset(values, { keepDirtyValues: false, ...keep });
  const { isDirty, isSubmitting, errors } = form.formState;
  const element = useRef<HTMLElement>(null);

  useLeaveGuard({
    name,
    subject,
    element,
    isUnsaved: isDirty,
    discard: () => flushSync(() => reset()),
    values: () => {
      const { dirtyFields } = form.formState;
      const isKept = (field: string) => field in dirtyFields && !secrets.includes(field as FieldPath<T>);
      return Object.fromEntries(Object.entries(form.getValues()).filter(([field]) => isKept(field)));
    },
    restore: (values) => {
      for (const [field, value] of Object.entries(values)) {
        form.setValue(field as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, { shouldDirty: true });
      }
    },
  });

  const showRefusal = (error: unknown) => {
    toastFailure(error);
    if (onRefused) return onRefused(error);
    const failure = ApiError.from(error);
    let isShown = false;
    for (const [field, message] of failure.fields) {
      const path = serverFields[field] ?? (field as FieldPath<T>);
      if (!(path in form.getValues())) continue;
      form.setError(path, { message });
      isShown = true;
    }
    if (!isShown && refusalAt && !failure.isUnreachable && !failure.isAborted)
      form.setError(refusalAt, { message: failureText(error) });
  };

  const send = form.handleSubmit(async (values) => {
    if (confirm) return confirm(values);
    let result: R;
    try {
      result = await save(values);
    } catch (error) {
      showRefusal(error);
      return;
    }
    // Rendered before `onSaved` leaves the screen, because the guard asks about what is rendered.
    let isNewer = false;
    flushSync(() => {
      isNewer = keepNewerText(form, values);
    });
    await onSaved?.(result, values);
    if (!isNewer) close?.();
  });
  const submit: typeof send = (event) => {
    // react-hook-form checks only fields with an element: the refusal at another one would stay, and nothing would be sent any more.
    for (const [path, problem] of Object.entries(form.formState.errors))
      if (!(problem as { ref?: unknown } | undefined)?.ref) form.clearErrors(path as FieldPath<T>);
    return send(event);
  };

  return {
    ...form,
    reset,
    isDirty,
    isBusy: isSubmitting,
    /** Submits; the handler of an event on fields that are in no form element of their own. */
    submit,
    /** For the element around the fields, where it is no form element. */
    element: element as RefObject<HTMLDivElement | null>,
    /** The attributes of the form element. */
    props: {
      ref: element as RefObject<HTMLFormElement | null>,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        // React bubbles `submit` to a form around the dialog's component, which must not submit too.
        event.stopPropagation();
        return submit(event);
      },
    },
    /** The attributes of a field, with its rule and its problem. */
    field: <P extends FieldPath<T>>(path: P, rule?: Rule<FieldPathValue<T, P>>) => {
      const validate = (value: FieldPathValue<T, P>) => {
        const problem = rule?.(value) ?? null;
        return problem === null || (t(problem) as string);
      };
      return {
        ...form.register(path, rule && { validate }),
        ...(isOnce && isSubmitting && { readOnly: true }),
        error: errors[path]?.message as string | undefined,
      };
    },
  };
}

/**
 * Makes the saved values the form's original ones. What was typed while they were being saved stays, as a change of them; returns whether
 * there is such a change.
 */
function keepNewerText<T extends FieldValues>(form: UseFormReturn<T>, saved: T): boolean {
  const typed = form.getValues();
  form.reset(saved, { keepDirtyValues: false });
  const newer = (Object.keys(typed) as FieldPath<T>[]).filter(
    (path) => typed[path] !== undefined && !isSame(typed[path], saved[path]),
  );
  for (const path of newer) form.setValue(path, typed[path], { shouldDirty: true });
  return newer.length > 0;
}

/** Whether two values of a field are equal; lists and objects by what they contain. */
const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
