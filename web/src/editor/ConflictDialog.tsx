import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Compare } from "./compare/Compare";
import { dateAndTime } from "./dateAndTime";
import type { PageText } from "./pageText";
import type { ConflictingText } from "./sendPage";

interface Props {
  mine: PageText | null;
  theirs: PageText;
  onClose: () => void;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Shows both texts of a conflict and lets the author choose one. */
export function ConflictDialog({ mine, theirs, onClose, onKeepMine, onTakeTheirs }: Props) {
  const { t, i18n } = useTranslation();
  if (!mine) return null;
  const { by, at } = theirs as ConflictingText;
  const decide = (how: () => void) => () => {
    how();
    onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("editor.conflict.title")}
      actions={
        <>
          <Button variant="default" onClick={decide(onTakeTheirs)}>
            {t("editor.conflict.takeTheirs")}
          </Button>
          <Button onClick={decide(onKeepMine)}>{t("editor.conflict.keepMine")}</Button>
        </>
      }
    >
      <p>{t("editor.conflict.hint")}</p>
      <Compare
        mine={{
          heading: t("editor.conflict.mine"),
          about: t("editor.conflict.mineAbout"),
          title: mine.title,
          content: mine.content,
        }}
        theirs={{
          heading: t("editor.conflict.theirs"),
          about: t("editor.conflict.theirsAbout", {
            name: by ?? t("editor.someone"),
            moment: dateAndTime(at, i18n.language, t),
          }),
          title: theirs.title,
          content: theirs.content,
        }}
      />
    </Dialog>
  );
}
