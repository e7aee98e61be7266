// Faults in which works of a Bundle are written, left and deleted, where, and what is remembered of that.
import type { Mutant } from '../mutant.ts';

const WORKS = {
  file: 'activities/hub/bundle/works.ts',
  seenBy: ['test/unit/hub/bundle/works.test.ts'],
};
const SHIP = { file: 'activities/hub/bundle/ship.ts', seenBy: ['test/unit/hub/bundle/ship.test.ts'] };
const SITES = { file: 'activities/hub/bundle/sites.ts', seenBy: ['test/unit/hub/bundle/sites.test.ts'] };
const OWNERS = { seenBy: ['test/unit/hub/bundle/owners.test.ts'] };
const MEMORY = {
  file: 'activities/hub/rollout/memory.ts',
  seenBy: ['test/unit/rollout/memory.test.ts'],
};

export const BUNDLE_WORKS: readonly Mutant[] = [
  {
    ...WORKS,
    breaks: "somebody's own work goes with the Bundle whose name it has",
    inside: 'liveMetadata',
    text: '(own?.items ?? []).filter((work) => isWorkOfBundle(work, ref))',
    becomes: '(own?.items ?? [])',
  },
  {
    ...WORKS,
    breaks: "somebody's own work counts as a copy of a Bundle once a turn reads anew",
    inside: 'liveWorks',
    text: 'items.filter((work) => isWorkOfBundle(work, ref)).map',
    becomes: 'items.map',
  },
  {
    ...WORKS,
    breaks: 'a work that its site has just stripped counts twice',
    inside: 'cachedWorks',
    text: ' && !known.has(work.metadata.namespace)',
    becomes: '',
  },
  {
    ...WORKS,
    breaks: 'a work that is being deleted is labelled in turn after turn',
    inside: 'mendLabels',
    text: 'metadata.deletionTimestamp === undefined && metadata.labels',
    becomes: 'metadata.labels',
  },
  {
    ...SHIP,
    breaks: 'works go although their sites were named again since the Bundle was read',
    inside: 'removeAll',
    text: 'works.length === 0 || !(await isStill())',
    becomes: 'works.length === 0',
  },
  {
    ...SHIP,
    breaks: 'a work that has become Ready since the look is deleted',
    inside: 'removeAll',
    text: 'isReady(seenOf(live).state) === isReady(work.seen.state)',
    becomes: "live.kind !== ''",
  },
  {
    ...SHIP,
    breaks: 'a revision is written of which the Secret has changed since',
    inside: 'shipAll',
    text: "isStill ? ship(errand, found, work) : { is: 'left' }",
    becomes: 'ship(errand, found, work)',
  },
  {
    ...SHIP,
    breaks: "somebody's own work with the name of a Bundle is written over",
    inside: 'update',
    text: '!(isOwn?.(live) ?? isWorkOfBundle(live, owner))',
    becomes: "owner.name === ''",
  },
  {
    ...SHIP,
    breaks: 'a work is written over what somebody has written since it was read',
    inside: 'update',
    text: 'metadata = { uid, resourceVersion, ...held',
    becomes: 'metadata = { uid, ...held',
  },
  {
    ...SITES,
    breaks: 'a Bundle goes to a cluster that the hub has not accepted',
    file: 'activities/hub/rollout/decision.ts',
    inside: 'notJoined',
    text: 'cluster.spec?.hubAcceptsClient !== true',
    becomes: 'cluster.spec?.hubAcceptsClient === false',
  },
  {
    ...SITES,
    breaks: 'a Bundle of any namespace goes to the hub itself',
    inside: 'sitesOf',
    text: 'isHubItself(cluster, hubUid)',
    becomes: "isHubItself(cluster, hubUid) && name === ''",
  },
  {
    ...SITES,
    breaks: 'every Bundle that names no executor has the rights of the work agent',
    inside: 'isByAgent',
    text: 'executor === undefined ? isFree',
    becomes: 'executor === undefined ? true',
  },
  {
    ...OWNERS,
    breaks: 'a field is taken by force from a Bundle that still carries the object',
    file: 'activities/hub/bundle/owners/heirs.ts',
    inside: 'areGone',
    text: 'if (!(await isGone(contest, hash, manager))) return false;\n  return true;',
    becomes: 'if (await isGone(contest, hash, manager)) return true;\n  return false;',
  },
  {
    ...OWNERS,
    breaks: 'an object is left to a Bundle that leaves as well, and stays on the site for ever',
    file: 'activities/hub/bundle/owners/heirs.ts',
    inside: 'heirsOf',
    text: 'metadata.deletionTimestamp === undefined && seen',
    becomes: 'seen',
  },
  {
    ...OWNERS,
    breaks: 'a Bundle that goes waits for a lost site to let go',
    file: 'activities/hub/bundle/owners/leaving.ts',
    inside: 'lettingGo',
    text: 'shared.size === 0 || !isReachableIn(caches, cluster)',
    becomes: 'shared.size === 0',
  },
  {
    ...MEMORY,
    breaks: 'what a person has allowed is forgotten before it is used',
    inside: 'removalTo',
    text: 'count === 0 && allowed === 0 && number === null',
    becomes: 'count === 0 && number === null',
  },
  {
    ...MEMORY,
    breaks: 'the number of a Placement is forgotten as long as nothing was removed',
    inside: 'removalTo',
    text: 'count === 0 && allowed === 0 && number === null',
    becomes: 'count === 0 && allowed === 0',
  },
  {
    ...MEMORY,
    breaks: 'what a workflow remembers of an earlier object of the name counts',
    inside: 'memoryOf',
    text: 'given?.uid === uid ? given : null',
    becomes: 'given',
  },
  {
    breaks: 'a site whose copy was written after all counts as refused',
    file: 'activities/hub/rollout/shipped.ts',
    inside: 'refusedAfter',
    text: '    else refused.delete(cluster);\n',
    becomes: '',
    seenBy: ['test/unit/rollout/shipped.test.ts'],
  },
  {
    breaks: 'a work that its site has not applied as a whole proves its revision',
    file: 'activities/hub/bundle/status/seen.ts',
    inside: 'stateOf',
    text: "if (applied.status !== 'True') return",
    becomes: "if (applied.status === 'Unknown') return",
    seenBy: ['test/unit/hub/bundle/status/seen.test.ts'],
  },
  {
    breaks: 'an object of which nobody knows whether it is there proves a revision',
    file: 'activities/hub/bundle/status/problems.ts',
    inside: 'lackOf',
    text: "available?.status !== 'True'",
    becomes: "available?.status === 'False'",
    seenBy: ['test/unit/hub/bundle/status/seen.test.ts'],
  },
  {
    ...SHIP,
    breaks: "a Bundle takes somebody else's finalizer off a work",
    inside: 'update',
    text: '[...finalizers, finalizer]',
    becomes: '[finalizer]',
  },
];
