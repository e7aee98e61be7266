// The site's configuration as it changes.
import { isDeepStrictEqual } from 'node:util';
import type { Optional } from '../../kube/watch/optional.ts';
import { CAPP_CONFIG_NAME, CAPP_CONFIG_NAMESPACES } from '../../crds/capp-config.ts';
import type { ConfigMap } from '../../crds/kubernetes/core.ts';
import type { CappConfig, SiteConfig } from './capp-config.ts';
import type { Superseded } from './former.ts';
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

/** A ConfigMap that may be there. */
export interface WatchedConfigMap {
  /** Resolves once it is known whether it is there, or that it may not be read. */
  readonly known: Promise<void>;
  current(): ConfigMap | null;
  onChange(listener: () => void): void;
}

/**
 * Is told each time when something of it changes: a sentence for each field without effect, and what is
 * superseded.
 */
export type OnProblems = (problems: readonly string[], superseded: readonly Superseded[]) => void;

/** `older` are the ConfigMaps that count where there is no CappConfig. */
export function liveConfig(
  watched: Optional<CappConfig>,
  onProblems: OnProblems,
  older: readonly WatchedConfigMap[] = [],
): LiveConfig {
  const listeners: (() => void)[] = [];
  let current: SiteConfig | null = null;
  let told: unknown = [[], []];
  let unknown = 1 + older.length;

  function look(): void {
    // Before the first lists are complete, one of several objects may be missing.
    if (unknown > 0) return;
    const objects = CAPP_CONFIG_NAMESPACES.map((namespace) =>
      watched.served() ? watched.get({ namespace, name: CAPP_CONFIG_NAME }) : undefined,
    ).filter((one) => one !== undefined);
    const maps = older.map((one) => one.current()).filter((one) => one !== null);
    const { config, problems, superseded } = readConfig(objects, maps);
    const tell = [problems, superseded.map(({ message }) => message)];
    if (!isDeepStrictEqual(tell, told)) {
      told = tell;
      onProblems(problems, superseded);
    }
    if (isDeepStrictEqual(config, current)) return;
    current = config;
    for (const listener of listeners) listener();
  }

  for (const { known } of [watched, ...older])
    known.then(
      () => {
        unknown -= 1;
        look();
      },
      () => undefined,
    );
  watched.onServed(look);
  watched.subscribe(() => {
    if (watched.served()) look();
  });
  for (const one of older) one.onChange(look);
  return { current: () => current, onChange: (listener) => void listeners.push(listener) };
}
