import { Link, useRouter } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { useUnpublishedPages } from "../unpublished/useUnpublishedPages";
import { type Address, addressOf } from "./address";
import classes from "./Preview.module.css";

interface Props {
  courseId: string;
  address: Address;
}

/** For those who may edit: shows the pages with their unpublished changes, and leads from a page back to its editor. */
export function ChangesSwitch({ courseId, address }: Props) {
  const { t } = useTranslation();
  const router = useRouter();
  const unpublished = useUnpublishedPages(courseId, true);
  const { drafts = false, rest } = address;
  const pageId = rest.slice(1);
  const hasChanges = unpublished.size > 0 || drafts;
  if (!hasChanges && !pageId) return null;
  return (
    <div className={classes.changes}>
      {hasChanges && (
        <Checkbox
          label={t("students.preview.drafts")}
          checked={drafts}
          onChange={() => void router.navigate({ href: addressOf({ ...address, drafts: !drafts }) + rest })}
        />
      )}
      {pageId && (
        <Link className={classes.edit} to="/edit-page/$pageId" params={{ pageId }}>
          {t("students.preview.edit")}
        </Link>
      )}
    </div>
  );
}
