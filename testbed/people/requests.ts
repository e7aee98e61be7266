// Requests to apps on the sites of a stack, as their users send them, in end-to-end tests.
import { setTimeout as pause } from 'node:timers/promises';
import { askApp, type AppAnswer } from '../../deploy/local/cappstan/ask.ts';
import { appHost } from '../../deploy/local/kubernetes/knative.ts';
import { ingressHost } from '../../deploy/local/standins/ingress/address.ts';
import { readCapp, siteOf } from '../capps.ts';
import type { TestbedStack } from '../stack.ts';

type Key = { readonly namespace: string; readonly name: string };

/** On a busy machine. */
const ANSWER_WITHIN_MS = 30_000;
const EVERY_MS = 20;

/** One request to an app on a site; `host` is the host of the app's URL there if not given. */
export function ask(
  stack: TestbedStack,
  site: string,
  key: Key,
  host = appHost(key, site),
): Promise<AppAnswer> {
  return askApp({ host: ingressHost(site), port: stack.ingressPort }, host, ANSWER_WITHIN_MS);
}

export interface Answers {
  /** How many answers came from each revision on each site: "site-1 hello-00001". */
  readonly from: ReadonlyMap<string, number>;
  /** What was answered instead of 200, or why there was no answer. */
  readonly refused: readonly string[];
}

/**
 * Sends one request after the other while `meanwhile` runs, each to the site that the Capp's status names at
 * that moment.
 */
export async function whileAsking(
  stack: TestbedStack,
  key: Key,
  meanwhile: () => Promise<unknown>,
): Promise<Answers> {
  const over = new AbortController();
  const from = new Map<string, number>();
  const refused: string[] = [];
  const asking = (async () => {
    while (!over.signal.aborted) {
      const site = siteOf(await readCapp(stack.hub, key));
      const { who, why } = await once(stack, site, key);
      if (who !== null) from.set(who, (from.get(who) ?? 0) + 1);
      if (why !== null) refused.push(why);
      await pause(EVERY_MS);
    }
  })();
  await Promise.all([meanwhile().finally(() => over.abort()), asking]);
  return { from, refused };
}

async function once(
  stack: TestbedStack,
  site: string,
  key: Key,
): Promise<{ who: string | null; why: string | null }> {
  try {
    const { status, headers, body } = await ask(stack, site, key);
    if (status !== 200) return { who: null, why: `${site}: ${status} ${body.trim()}` };
    return { who: `${String(headers['stand-in-site'])} ${String(headers['stand-in-revision'])}`, why: null };
  } catch (error) {
    return { who: null, why: `${site}: ${String(error)}` };
  }
}
