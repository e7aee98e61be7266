// What happened to all Capps and rollouts, newest first, from what their statuses keep.
import { historyOf } from '../../explain/capp/history.ts';
import { bundleHistoryOf, setHistoryOf } from '../../explain/set/history.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { DashboardFacts } from './facts.ts';
import { fleetObjects } from './rollout/rollouts.ts';

export interface Moment {
  /** RFC 3339. */
  readonly at: string;
  readonly what: string;
  readonly reason: string;
  readonly text: string;
  readonly name: string;
  readonly href: string;
}

const MOST = 300;

const known = new WeakMap<Capp, Moment[]>();

/** By `moment/<number>`, the newest first. */
export function moments(facts: DashboardFacts): Record<string, Moment> {
  const apps = facts.capps.flatMap((capp) => {
    const found = known.get(capp) ?? ofCapp(capp);
    known.set(capp, found);
    return found;
  });
  const rollouts = fleetObjects(facts).flatMap((one) => {
    const { namespace = '', name } = one.object.metadata;
    const past =
      one.is === 'CappSet' ? setHistoryOf(one.object, [], []) : bundleHistoryOf(one.object, [], []);
    const about = { name: `${namespace}/${name}`, href: `/rollouts/${one.is}/${namespace}/${name}` };
    return past.map((happening) => ({ ...happening, ...about }));
  });
  const drains = facts.drains.flatMap(({ metadata, spec, status }) => {
    const about = { name: metadata.name, href: `/drains/${metadata.name}`, what: 'drain' };
    const by = status?.requestedBy ?? 'Somebody';
    const why = spec.reason === undefined ? '' : `: ${spec.reason}`;
    const { startedAt, endedAt, phase = '', moved = 0, stayed = 0 } = status ?? {};
    return [
      ...(startedAt === undefined
        ? []
        : [{ ...about, at: startedAt, reason: 'Begun', text: `${by} drains ${metadata.name}${why}` }]),
      ...(endedAt === undefined
        ? []
        : [
            {
              ...about,
              at: endedAt,
              reason: phase,
              text: `The drain ended: ${moved} moved, ${stayed} stayed`,
            },
          ]),
    ];
  });
  const all = [...apps, ...rollouts, ...drains]
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, MOST);
  return Object.fromEntries(all.map((moment, at) => [`moment/${at}`, moment]));
}

function ofCapp(capp: Capp): Moment[] {
  const { namespace = '', name } = capp.metadata;
  const about = { name: `${namespace}/${name}`, href: `/apps/${namespace}/${name}` };
  return historyOf(capp, []).map((happening) => ({ ...happening, ...about }));
}
