import { IconButton } from "../ui/IconButton";
import { IconMoon, IconSun } from "../ui/icons";
import mark from "../ui/kurso.svg";
import { setTheme, useTheme } from "../ui/theme";
import classes from "./bar.module.css";
import { offerToken, useIdentity } from "./identity";
import { texts } from "./texts";

interface Props {
  title: string;
  /** The other page for developers. */
  other: { title: string; href: string };
}

/** The bar above the pages for developers: links to the app and the other page, the identity used for requests, and the theme. */
export function Bar({ title, other }: Props) {
  const theme = useTheme();
  const { email, offered } = useIdentity();
  const dark = theme === "dark";
  return (
    <header className={classes.bar}>
      <a href="/" className={classes.brand}>
        <img src={mark} alt="" width={22} height={22} />
        {texts.back}
      </a>
      <h1 className={classes.title}>{title}</h1>
      <a href={other.href} className={classes.other}>
        {other.title}
      </a>
      <div className={classes.identity}>
        {email === null ? (
          <a href="/login" className={classes.signIn} title={texts.signedOutText}>
            {texts.signIn}
          </a>
        ) : (
          <label className={classes.as} title={texts.tokenText}>
            <input
              type="checkbox"
              checked={offered}
              onChange={(event) => offerToken(event.currentTarget.checked)}
            />
            <span className={classes.email}>{texts.as.replace("{{email}}", email)}</span>
          </label>
        )}
      </div>
      <IconButton
        aria-label={dark ? texts.toLight : texts.toDark}
        onClick={() => setTheme(dark ? "light" : "dark")}
      >
        {dark ? <IconSun /> : <IconMoon />}
      </IconButton>
    </header>
  );
}
