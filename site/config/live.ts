// The site's configuration as it changes.
import { isDeepStrictEqual } from 'node:util';
import type { Optional } from '../../kube/watch/optional.ts';
import { CAPP_CONFIG_NAME, CAPP_CONFIG_NAMESPACES } from '../../crds/capp-config.ts';
import type { CappConfig, SiteConfig } from './capp-config.ts';
import { readConfig } from './read.ts';

export interface LiveConfig {
  /**
   * Null until the site has said once whether it has a CappConfig. What runs keeps its figures until then;
   * what is new gets the defaults.
   */
  current(): SiteConfig | null;
  /** Calls back when `current` becomes another one. */
  onChange(listener: () => void): void;
}

/** `onProblems` is told each time the list of problems changes: a sentence for each field without effect. */
export function liveConfig(
  watched: Optional<CappConfig>,
  onProblems: (problems: readonly string[]) => void,
): LiveConfig {
  const listeners: (() => void)[] = [];
  let current: SiteConfig | null = null;
  let problems: readonly string[] = [];

  function look(): void {
    const objects = CAPP_CONFIG_NAMESPACES.map((namespace) =>
      watched.served() ? watched.get({ namespace, name: CAPP_CONFIG_NAME }) : undefined,
    ).filter((one) => one !== undefined);
    const read = readConfig(objects);
    if (!isDeepStrictEqual(read.problems, problems)) {
      problems = read.problems;
      onProblems(problems);
    }
    if (isDeepStrictEqual(read.config, current)) return;
    current = read.config;
    for (const listener of listeners) listener();
  }

  watched.known.then(look, () => undefined);
  watched.onServed(look);
  // Before the first list is complete, one of two objects may be missing.
  watched.subscribe(() => {
    if (watched.served()) look();
  });
  return { current: () => current, onChange: (listener) => void listeners.push(listener) };
}
