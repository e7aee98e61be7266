// Users: each app is asked all the time, on the site where the hub says that it is served, as DNS would lead
// them, and those of a Bundle on every site.
import { setTimeout as pause } from 'node:timers/promises';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import type { FailedRequest } from './check/requests.ts';
import { startRelay, type Relay } from './faults/relay.ts';

const PAUSE_MS = 250;
const ANSWER_WITHIN_MS = 5_000;

export interface Users {
  /** Of an app that nobody deletes. */
  readonly failed: readonly FailedRequest[];
  /** How often each app was asked, by `namespace/name`. */
  readonly asked: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface AskedApp {
  /** `namespace/name` of the Capp, or of the Bundle that brings it. */
  readonly app: string;
  /** Whether nobody deletes it now. */
  isKept(): boolean;
  /** Where users of it are sent, or null. */
  site(): string | null;
  /** Under which name they ask for it there. */
  host(site: string): string;
}

/** Asks each of them four times a second, by the ways of users to the sites. */
export function startUsers(apps: readonly AskedApp[], ways: ReadonlyMap<string, Pick<Relay, 'port'>>): Users {
  const over = new AbortController();
  const failed: FailedRequest[] = [];
  const counts = new Map(apps.map(({ app }) => [app, 0]));
  const ask = async ({ app, isKept, site: siteOf, host }: AskedApp): Promise<void> => {
    const site = siteOf();
    if (!isKept() || site === null) return;
    counts.set(app, (counts.get(app) ?? 0) + 1);
    const from = Date.now();
    const why = await problemOf(ways.get(site)?.port ?? 0, host(site));
    if (why === null || !isKept()) return;
    failed.push({ app, site, from, to: Date.now(), why });
  };
  const user = async (app: AskedApp): Promise<void> => {
    while (!over.signal.aborted) {
      await ask(app);
      await pause(PAUSE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const users = apps.map(user);
  return {
    failed,
    asked: counts,
    stop: async () => {
      over.abort();
      await Promise.all(users);
    },
  };
}

async function problemOf(port: number, host: string): Promise<string | null> {
  try {
    const { status, body } = await askApp({ host: '127.0.0.1', port }, host, ANSWER_WITHIN_MS);
    return status === 200 ? null : `${status}: ${body.trim()}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A relay on the way of users to each site: only they come by it. */
export async function userWays({ sites, ingressPort }: WaysTo): Promise<Map<string, Relay>> {
  const ways = new Map<string, Relay>();
  for (const site of sites) ways.set(site, await startRelay(ingressPort, ingressHost(site)));
  return ways;
}

export interface WaysTo {
  readonly sites: readonly string[];
  readonly ingressPort: number;
}
