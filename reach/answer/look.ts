// One look at all sites of a Capp, for its logs.
import type { Question } from '../asked.ts';
import { sourcesIn, type Source } from '../pods.ts';
import { lookAt } from '../site/look.ts';
import type { Way } from '../site/way.ts';
import { readCapp } from './capp.ts';
import type { Context } from './context.ts';
import type { Remark } from './remarks.ts';

/** A container, where it is. */
export interface FoundLog {
  readonly site: string;
  readonly way: Way;
  readonly source: Source;
}

export interface LogLook {
  /** Of the Capp. */
  readonly uid: string;
  /** Those whose Pods are known now. */
  readonly reached: ReadonlySet<string>;
  /** Those where the Capp is, unless what is there is another's. */
  readonly own: ReadonlySet<string>;
  readonly found: readonly FoundLog[];
  readonly remarks: readonly Remark[];
  /** Why nothing is known of a site, for each of which that is so. */
  readonly missing: readonly Remark[];
}

/** Throws Refused, ApiError where the hub does not answer, and the signal's reason. */
export async function look(
  { hub, ways }: Context,
  question: Question,
  signal: AbortSignal,
): Promise<LogLook> {
  const { capp, sites } = await readCapp(hub, question, signal);
  const all = await Promise.all(sites.map((site) => lookAt(ways, site, capp, signal)));
  const there = all.filter((one) => one.is === 'pods');
  const missing = all.filter((one) => one.is === 'none');
  const foreign = new Set(missing.filter(({ isForeign }) => isForeign).map(({ site }) => site));
  const more = there.flatMap(({ site, more: why }) => (why === null ? [] : [{ site, why }]));
  return {
    uid: capp.metadata.uid ?? '',
    reached: new Set(there.map(({ site }) => site)),
    own: new Set(sites.filter((site) => !foreign.has(site))),
    missing,
    remarks: [...missing, ...more],
    found: there.flatMap(({ site, way, pods }) =>
      pods.flatMap((pod) =>
        sourcesIn(pod, question.container).map((source): FoundLog => ({ site, way, source })),
      ),
    ),
  };
}
