import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/**
 * A component that the screen works without. It shows `waiting`, or nothing, until it is loaded. A failed load, such as without a network, is
 * not reported, and is retried when the network is back.
 */
export function optional<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Optional(props: Props) {
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      if (Loaded) return;
      const attempt = () => {
        load().then(
          (component) => {
            known = component;
            setLoaded(() => component);
          },
          () => {},
        );
      };
      attempt();
      window.addEventListener("online", attempt);
      return () => window.removeEventListener("online", attempt);
    }, [Loaded]);
    return Loaded ? <Loaded {...props} /> : waiting;
  };
}
