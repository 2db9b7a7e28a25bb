import type { Editor } from "@tiptap/core";
import { useMemo, useState } from "react";
import type { ActiveField } from "./activeField";

/** The field of a question that had the focus last; null before that, and after the field is gone. `active` is for the context of the fields. */
export function useActiveField() {
  const [field, setField] = useState<Editor | null>(null);
  const active = useMemo<ActiveField>(
    () => ({
      take: setField,
      release: (gone) => setField((current) => (current === gone ? null : current)),
    }),
    [],
  );
  return { field, setField, active };
}
