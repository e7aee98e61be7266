// Users: each app is asked all the time, on the site where the hub says that it is served, as DNS would lead
// them.
import { setTimeout as pause } from 'node:timers/promises';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { appHost } from '../../../deploy/local/kubernetes/knative.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import type { FailedRequest } from './check/requests.ts';

const PAUSE_MS = 250;
const ANSWER_WITHIN_MS = 5_000;

export interface Users {
  /** Of an app that nobody deletes. */
  readonly failed: readonly FailedRequest[];
  /** How often each app was asked, by `namespace/name`. */
  readonly asked: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface Asked {
  readonly namespace: string;
  readonly names: readonly string[];
  readonly ingressPort: number;
  /** Whether nobody deletes it now. */
  isKept(name: string): boolean;
  /** Where users of it are sent, or null. */
  siteOf(name: string): string | null;
}

/** Asks each of them four times a second. */
export function startUsers(asked: Asked): Users {
  const over = new AbortController();
  const failed: FailedRequest[] = [];
  const counts = new Map(asked.names.map((name) => [`${asked.namespace}/${name}`, 0]));
  const ask = async (name: string): Promise<void> => {
    const site = asked.siteOf(name);
    if (!asked.isKept(name) || site === null) return;
    const app = `${asked.namespace}/${name}`;
    counts.set(app, (counts.get(app) ?? 0) + 1);
    const from = Date.now();
    const why = await problemOf(asked, name, site);
    if (why === null || !asked.isKept(name)) return;
    failed.push({ app, site, from, to: Date.now(), why });
  };
  const user = async (name: string): Promise<void> => {
    while (!over.signal.aborted) {
      await ask(name);
      await pause(PAUSE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const users = asked.names.map(user);
  return {
    failed,
    asked: counts,
    stop: async () => {
      over.abort();
      await Promise.all(users);
    },
  };
}

async function problemOf(
  { namespace, ingressPort }: Asked,
  name: string,
  site: string,
): Promise<string | null> {
  const address = { host: ingressHost(site), port: ingressPort };
  try {
    const { status, body } = await askApp(address, appHost({ namespace, name }, site), ANSWER_WITHIN_MS);
    return status === 200 ? null : `${status}: ${body.trim()}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
