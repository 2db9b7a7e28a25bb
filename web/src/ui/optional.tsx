import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/**
 * A component that its surroundings can do without: `waiting`, or nothing, until it is loaded. A failure, such as without a network, is not
 * shown; loading is tried again when the network is back.
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
