import { SkeletonBlock } from "../ui/SkeletonBlock";

/** Placeholder with the size of a few questions, which hides the notice for guests as the questions do (guests/GuestNotice.module.css). */
export function QuizSkeleton() {
  return (
    <div style={{ marginTop: "1.5rem" }} data-answering>
      <SkeletonBlock height="3rem" below="2rem" />
      {["a", "b", "c"].map((key) => (
        <div key={key} style={{ marginBottom: "2.5rem" }}>
          <SkeletonBlock width="8rem" height="1rem" below="0.8rem" />
          <SkeletonBlock width="85%" height="1.5rem" below="1.1rem" />
          <SkeletonBlock height="9rem" />
        </div>
      ))}
    </div>
  );
}
