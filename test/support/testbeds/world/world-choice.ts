// The activity `choose` of the world in memory: the real pure functions with fake clusters.
import type { HubReason } from '../../../../crds/capp/conditions.ts';
import { review } from '../../../../workflows/placement/review.ts';
import type { ClusterFacts, PlacementInputs } from '../../../../workflows/placement/inputs.ts';
import { select } from '../../../../workflows/placement/select.ts';
import type { Choice, ChoiceAsk } from '../../../../workflows/ports/choice.ts';
import { aField, MEMBER, RULES } from '../../builders/placement.ts';
import type { World } from './world.ts';

const SITES = ['site-1', 'site-2', 'site-3'];

export function choose(self: World, ask: ChoiceAsk): Choice {
  if (self.isBehind) return { outcome: 'Behind' };
  if (self.capp === null || self.capp.deleting) return { outcome: 'Absent' };
  const { generation } = self.capp;
  const inputs = fieldOf(self, ask);
  const now = Date.now();
  if (ask.history === null || ask.present === null) {
    const works = [...self.works].map(([cluster, { leaving }]) => ({ cluster, leaving }));
    const { cluster, message, record, ...rest } = select(inputs, now);
    if (cluster === null || !('pinned' in rest))
      return { outcome: 'None', reason: record.reason as HubReason, message, generation, record, works };
    return {
      outcome: 'Chosen',
      cluster,
      pinned: rest.pinned,
      message,
      generation,
      record,
      works,
      site: self.site,
      memory: null,
    };
  }
  const { illness, ...told } = ask.history;
  const history = illness === undefined ? told : { ...told, illness: { ...illness, fleet: self.fleet } };
  const { unhealthyMs } = self.orders;
  const rules = { ...RULES, ...(unhealthyMs === undefined ? {} : { unhealthyMs }), ...self.rules };
  const reviewed = review({ ...inputs, present: ask.present }, history, rules, now);
  const known = {
    generation,
    site: self.site,
    handled: reviewed.handled,
    unreachable: [...self.lost],
    works: [],
  };
  if (!reviewed.goes)
    return { outcome: 'Stays', reason: reviewed.reason, message: reviewed.message, ...known };
  const { reason, message, to, pinned, record, terms, request } = reviewed;
  return { outcome: 'Leaves', reason, message, to, pinned, record, terms, request, priority: 0, ...known };
}

function fieldOf(self: World, { present, avoid, works }: ChoiceAsk): PlacementInputs {
  const facts = (name: string): ClusterFacts => ({
    ...MEMBER,
    reachable: !self.lost.has(name),
    tainted: self.tainted.has(name),
  });
  return aField({
    site: self.site,
    byPlacement: {
      all: { clusters: self.decision === null ? [] : [self.decision, ...self.others], complete: true },
    },
    clusters: Object.fromEntries(SITES.map((name) => [name, facts(name)])),
    works: Object.fromEntries([
      ...[...self.works].map(([cluster, { leaving }]) => [cluster, { leaving }] as const),
      ...works.map((work) => [work.cluster, work] as const),
    ]),
    present,
    avoid,
  });
}
