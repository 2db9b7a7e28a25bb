import { IconButton } from "../ui/IconButton";
import { IconMoon, IconSun } from "../ui/icons";
import mark from "../ui/kurso.svg";
import classes from "./graphiql.module.css";
import { offerToken, useIdentity } from "./identity";
import { texts } from "./texts";

interface Props {
  theme: "light" | "dark";
  setTheme: (theme: "light" | "dark") => void;
}

/** The bar above GraphiQL: a link to the app, the identity used for requests, and the theme. */
export function Bar({ theme, setTheme }: Props) {
  const { email, offered } = useIdentity();
  const dark = theme === "dark";
  return (
    <header className={classes.bar}>
      <a href="/" className={classes.brand}>
        <img src={mark} alt="" width={22} height={22} />
        {texts.back}
      </a>
      <h1 className={classes.title}>GraphiQL</h1>
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
