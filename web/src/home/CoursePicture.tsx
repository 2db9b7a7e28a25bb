import classes from "./CoursePicture.module.css";

interface Props {
  course: { title: string; modules: readonly { avatarUrl: string | null }[] };
}

/** The cover of a course: the first cover of its modules, otherwise the first letter of its title. */
export function CoursePicture({ course }: Props) {
  const address = course.modules.find((module) => module.avatarUrl)?.avatarUrl;
  if (address) return <img className={classes.picture} src={address} alt="" width={56} height={56} />;
  return (
    <span className={classes.picture} aria-hidden="true">
      {[...course.title][0]?.toUpperCase()}
    </span>
  );
}
