// One managed cluster, as its agent's audits reach it: rings only for the Capps that look different from what the hub has published.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isFailed } from './failed.ts';
import * as messages from './messages.ts';
import { cappWorkflowId } from './names.ts';
import { near } from './proxies.ts';
import { rungFor, type AuditEntry } from './ring.ts';

export interface SiteState {
  readonly version: 1;
  readonly cluster: string;
  /** Audits heard and not yet looked at. */
  audits: readonly (readonly AuditEntry[])[];
}

/** Entries looked at in one step; an activity's arguments should stay far below Temporal's 2 MiB. */
const PAGE = 500;
/** Milliseconds between two tries to compare a page. */
const PAUSE_MS = 5_000;

/** Ends by cancellation, when its cluster leaves the hub. */
export async function site(state: SiteState): Promise<void> {
  setHandler(messages.audit, ({ entries }) => {
    state.audits = [...state.audits, entries];
  });
  for (;;) {
    setCurrentDetails(`Waits for an audit of **${state.cluster}**: its agent sends one when it starts.`);
    await condition(() => state.audits.length > 0 || workflowInfo().continueAsNewSuggested);
    const [entries, ...rest] = state.audits;
    if (entries !== undefined) {
      state.audits = rest;
      await look(state.cluster, entries);
    } else {
      await condition(allHandlersFinished);
      await continueAsNew<typeof site>(state);
    }
  }
}

async function look(cluster: string, entries: readonly AuditEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += PAGE) {
    const page = entries.slice(start, start + PAGE);
    const differing = await compare(cluster, page);
    await Promise.all(differing.map(({ namespace, name }) => ringCapp(namespace, name)));
  }
}

/** An audit is not lost because a worker's caches took longer than a local activity may. */
async function compare(cluster: string, page: readonly AuditEntry[]): Promise<readonly { namespace: string; name: string }[]> {
  for (;;) {
    try {
      const { differing } = await near(`Compare ${page.length} Capps`).compare(cluster, page);
      return differing;
    } catch (error) {
      if (!isFailed(error)) throw error;
      await sleep(PAUSE_MS, { summary: 'Another try' });
    }
  }
}

/** A Capp whose workflow has ended meanwhile has nothing to hear. */
async function ringCapp(namespace: string, name: string): Promise<void> {
  await getExternalWorkflowHandle(cappWorkflowId(namespace, name))
    .signal(messages.ring, rungFor('site'))
    .catch(() => undefined);
}
