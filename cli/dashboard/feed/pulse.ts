// Whether the hub answers at all: a watch over a dead connection is silent, like one where nothing happens.
import type { Kube } from '../../../kube/client.ts';

export interface Pulse {
  /** Since when it has not answered, milliseconds since the epoch; null while it does. */
  silentSince(): number | null;
  onChange(listener: () => void): () => void;
  stop(): void;
}

const EVERY_MS = 5_000;
const WITHIN_MS = 4_000;

/** Asks for the version, which everybody may read who may log in. */
export function pulseOf(kube: Kube, everyMs = EVERY_MS): Pulse {
  const listeners = new Set<() => void>();
  let answeredAt = Date.now();
  let isSilent = false;
  const ending = new AbortController();
  const beat = async (): Promise<void> => {
    const answers = await kube
      .within({ until: Date.now() + WITHIN_MS, signal: ending.signal })
      .raw('GET', '/version')
      .then(
        () => true,
        () => false,
      );
    if (answers) answeredAt = Date.now();
    if (isSilent !== answers || ending.signal.aborted) return;
    isSilent = !answers;
    for (const listener of listeners) listener();
  };
  const timer = setInterval(() => void beat(), everyMs);
  return {
    silentSince: () => (isSilent ? answeredAt : null),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop() {
      clearInterval(timer);
      ending.abort();
    },
  };
}
