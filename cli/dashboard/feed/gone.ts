// Remembers what was deleted while the dashboard ran, so that its address can say so.
import { keyTextOf, type KubeObject } from '../../../kube/resource.ts';
import type { Change } from '../../../kube/watch/store.ts';

export interface Gone {
  heed<T extends KubeObject>(kind: string, change: Change<T>): void;
  /** RFC 3339; null if nobody saw it go. `key` is `<namespace>/<name>`, or the name. */
  at(kind: string, key: string): string | null;
}

/** Of so many the time is kept. */
const MOST = 1000;

export function goneOf(): Gone {
  const times = new Map<string, string>();
  return {
    heed(kind, { type, object }) {
      const key = `${kind}/${keyTextOf(object)}`;
      times.delete(key);
      if (type !== 'Deleted') return;
      times.set(key, new Date().toISOString());
      const [oldest] = times.keys();
      if (times.size > MOST && oldest !== undefined) times.delete(oldest);
    },
    at: (kind, key) => times.get(`${kind}/${key}`) ?? null,
  };
}
