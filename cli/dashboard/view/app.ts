// One Capp: how it is, why it is there, and what it waits for until when.
import type { Capp } from '../../../crds/capp/capp.ts';
import { conditionIn, freshnessOf, type Freshness } from '../../explain/capp/phase.ts';
import { stepsOf, type CappStep } from '../../explain/capp/steps.ts';
import { explain, headline, NOT_CURRENT, type Explanation } from '../../explain/capp/why.ts';
import { adviceFor } from '../../explain/reasons/find.ts';
import { appLineOf, type AppLine } from './apps.ts';
import type { DashboardFacts } from './facts.ts';
import { seenOf } from './seen.ts';
import { appSheets } from './sheets/app.ts';
import type { Sheet } from './sheets/sheet.ts';
import type { Branch } from '../../explain/tree/branch.ts';
import { treeOf } from '../../explain/tree/capp.ts';
import { toneOfStatus, type Tone } from '../../explain/tone.ts';

export interface AppView extends Explanation, Omit<AppLine, 'namespace' | 'name' | 'site' | 'set' | 'says'> {
  /** Where it is, in one sentence. */
  readonly headline: string;
  /** Why what stands here may be old; empty if it is not. */
  readonly behind: string;
  readonly freshness: Freshness;
  readonly generation: number;
  /** Since when it is Ready, RFC 3339; null if it is not. */
  readonly readySince: string | null;
  readonly steps: readonly CappStep[];
  readonly tree: Branch;
  readonly conditions: readonly ConditionLine[];
  /** Changes with what a person decides by. */
  readonly seen: string;
  /** What it writes may be read, by the hub's reader. */
  readonly mayReadLogs: boolean;
  readonly acts: readonly Sheet[];
}

export interface ConditionLine {
  readonly type: string;
  readonly status: string;
  readonly tone: Tone;
  readonly reason: string;
  readonly since: string;
  readonly message: string;
  readonly words: string;
  readonly remedy: string;
}

export function appView(capp: Capp, { may, now }: Pick<DashboardFacts, 'may' | 'now'>): AppView {
  const { metadata, status } = capp;
  const { says: _says, ...line } = appLineOf(capp);
  const explanation = explain(capp, now);
  const ready = conditionIn(capp, 'Ready');
  return {
    ...line,
    ...explanation,
    headline: headline(explanation),
    behind: explanation.isCurrent ? '' : NOT_CURRENT,
    freshness: freshnessOf(capp),
    generation: metadata.generation ?? 0,
    readySince: ready?.status === 'True' ? ready.lastTransitionTime : null,
    steps: stepsOf(capp),
    tree: treeOf(capp),
    conditions: (status?.conditions ?? []).map((one) => {
      const { words, remedy } = adviceFor(one.reason);
      const { type, reason, message, lastTransitionTime: since } = one;
      return { type, status: one.status, tone: toneOfCondition(one), reason, message, since, words, remedy };
    }),
    seen: seenOf(capp),
    mayReadLogs: may('get', 'capps/log', metadata.namespace ?? null),
    acts:
      may('patch', 'capps', metadata.namespace ?? null) && !explanation.isGoing
        ? appSheets({
            ...explanation,
            isPaused: line.phase === 'Paused',
            isRecreated: capp.spec.migration?.strategy === 'Recreate',
            hasPast: (metadata.generation ?? 0) > 1,
            sites: candidatesIn(explanation),
          })
        : [],
  };
}

/** For these two, True says that something goes on or is wrong. */
function toneOfCondition({ type, status }: { readonly type: string; readonly status: string }): Tone {
  if (type === 'Migrating') return status === 'True' ? 'moving' : 'good';
  if (type === 'Stalled') return status === 'True' ? 'bad' : 'good';
  return toneOfStatus(status);
}

/** Sites that the newest choice could have taken, the best first. */
function candidatesIn({ choice, site }: Explanation): string[] {
  const found = (choice?.considered ?? []).filter((one) => one.outcome !== 'excluded' && one.site !== site);
  return found.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)).map((one) => one.site);
}
