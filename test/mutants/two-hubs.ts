// Faults in how the hubs of one site are kept apart.
import type { Mutant } from './mutant.ts';

const GUARD = { file: 'deploy/helm/templates/_guard.tpl', inside: null } as const;
const BESIDE = { seenBy: ['test/activity/site/guard/two-hubs.test.ts'] } as const;
const WHOSE = { seenBy: ['test/activity/site/guard/whose-namespace.test.ts'] } as const;
const HAND_OVER = { seenBy: ['test/activity/site/guard/hand-over.test.ts'] } as const;
const LEAVE = { seenBy: ['test/activity/site/guard/leave.test.ts'] } as const;
const OTHERS = {
  file: 'deploy/join/leave/others.ts',
  seenBy: ['test/unit/deploy/join/others.test.ts'],
} as const;
const SHARED = { seenBy: ['test/unit/hub/bundle/two-hubs.test.ts'] } as const;
const CLAIMS = { file: 'workers/process/claim.ts', seenBy: ['test/unit/workers/claim.test.ts'] } as const;

export const TWO_HUBS: readonly Mutant[] = [
  {
    ...GUARD,
    ...BESIDE,
    breaks: 'a hub claims the id of another',
    text: "? variables.now in ['', variables.mine] || (variables.isFree",
    becomes: "? true || variables.now in ['', variables.mine] || (variables.isFree",
  },
  {
    ...GUARD,
    ...BESIDE,
    breaks: 'a hub changes and deletes what another hub has',
    text: "!variables.isAgent || variables.before in ['', variables.mine] || variables.isFree",
    becomes: "true || variables.before in ['', variables.mine] || variables.isFree",
  },
  {
    ...GUARD,
    ...BESIDE,
    breaks: 'hubs write in turn what is there once',
    text: '!variables.isAgent || !variables.isShared || variables.mayKeep',
    becomes: '!variables.isAgent || !variables.isShared || !variables.mayKeep || variables.mayKeep',
  },
  {
    ...GUARD,
    ...BESIDE,
    breaks: 'an agent that nobody has named is the first hub’s, though another one is named as that',
    text: "key != 'hub' && params.data[key] == params.data.hub",
    becomes: "key == '' && params.data[key] == params.data.hub",
  },
  {
    ...GUARD,
    ...BESIDE,
    breaks: 'Pods of a hub come beside the Secrets of another',
    text: "variables.owner == variables.mine || !(variables.before in ['', variables.mine])",
    becomes: "true || variables.owner == variables.mine || !(variables.before in ['', variables.mine])",
  },
  {
    ...GUARD,
    ...WHOSE,
    breaks: 'Capps of the first hub come beside the Secrets that a Bundle of the second has brought',
    text: '(variables.isOpened || variables.mine != params.data.hub)',
    becomes: 'variables.mine != params.data.hub',
  },
  {
    ...GUARD,
    ...WHOSE,
    breaks:
      'a Namespace that says of no hub that it is its refuses the first hub every change of what runs there',
    text: "(request.operation == 'UPDATE' && variables.mine == params.data.hub)",
    becomes: 'false',
  },
  {
    ...GUARD,
    ...WHOSE,
    breaks: 'a Namespace that an admin opens as the site says is not of the hub for which it was opened',
    text: " ? ' rcs.dana.io/hub=' + object.metadata.labels['rcs.dana.io/hub'] : ''",
    becomes: " ? '' : ''",
  },
  {
    ...GUARD,
    ...HAND_OVER,
    breaks: 'a site that is handed over cannot be detached from its former hub',
    text: "variables.before in ['', variables.mine] || variables.isFree || (",
    becomes: "variables.before in ['', variables.mine] || (",
  },
  {
    ...GUARD,
    ...HAND_OVER,
    breaks: 'a site that is handed over refuses its former hub every change of what it has',
    text: ' || (variables.isFree && variables.now == variables.before) :',
    becomes: ' :',
  },
  {
    ...GUARD,
    ...HAND_OVER,
    breaks: 'the former hub of a site that is handed over goes on bringing what is new',
    text: '(variables.isFree && variables.now == variables.before)',
    becomes: "(variables.before == '' || variables.isFree && variables.now == variables.before)",
  },
  {
    ...GUARD,
    ...HAND_OVER,
    breaks: 'the next hub of a site gets into no Namespace of the former one',
    text: "in variables.labels && params.data.exists(key, params.data[key] == variables.labels['%[1]s'])",
    becomes: 'in variables.labels',
  },
  {
    ...LEAVE,
    breaks: 'a hub that leaves takes the site operator of the other one away',
    file: 'deploy/join/leave/others.ts',
    inside: 'ownOf',
    text: ',!${HUB_PART}',
    becomes: '',
  },
  {
    ...LEAVE,
    breaks: 'a hub that leaves counts the works of the other one, and not its own',
    file: 'deploy/join/site.ts',
    inside: 'broughtBy',
    text: 'isAlone || name.startsWith(prefix)',
    becomes: 'isAlone || !name.startsWith(prefix)',
  },
  {
    ...LEAVE,
    breaks: 'a Capp without a label is nobody’s when its hub leaves',
    file: 'deploy/join/site.ts',
    inside: 'broughtBy',
    text: '(labels[HUB] ?? first) === own',
    becomes: 'labels[HUB] === own',
  },
  {
    ...LEAVE,
    breaks: 'a leave that died does not know any more which hub it was leaving',
    file: 'deploy/join/leave/clear.ts',
    inside: 'clearSite',
    text: 'if (hubId === null) await rememberHub(site, id);',
    becomes: '',
  },
  {
    ...LEAVE,
    breaks: 'a site that leaves one of two hubs is cleared of both',
    file: 'deploy/join/leave/clear.ts',
    inside: 'clearSite',
    text: 'if (isShared) {',
    becomes: 'if (others.length > 99) {',
  },
  {
    ...SHARED,
    breaks: 'a Bundle that comes to a site with two hubs uses what was given to the other one',
    file: 'activities/hub/bundle/sites.ts',
    inside: 'unlessShared',
    text: '.length < 2) return site;',
    becomes: '.length < 9) return site;',
  },
  {
    ...SHARED,
    breaks: 'a site whose first agent is of an earlier version counts as one of a single hub',
    file: 'crds/ocm/executors.ts',
    inside: 'hubsOnSite',
    text: ', ...hubInPlainClaim(cluster)',
    becomes: '',
  },
  {
    ...SHARED,
    breaks: 'a site that lets a second hub in holds the Bundles that are there',
    file: 'activities/hub/bundle/sight.ts',
    inside: 'sightOf',
    text: 'byCluster.has(site.cluster) ? site : unlessShared(rules, bundle, site)',
    becomes: 'unlessShared(rules, bundle, site)',
  },
  {
    ...CLAIMS,
    breaks: 'two hubs work in one Temporal namespace',
    inside: 'otherHolder',
    text: 'return holder === hub ? null : holder;',
    becomes: 'return holder !== hub ? null : holder;',
  },
  {
    ...CLAIMS,
    breaks: 'the next hub does not get a namespace whose claim a person has ended',
    inside: 'holderOf',
    text: "if (status.name !== 'RUNNING') return null;",
    becomes: '',
  },
  {
    ...CLAIMS,
    breaks: 'a hub whose claim is lost stays without one until a process of it starts again',
    inside: 'holdNamespace',
    text: 'look()',
    becomes: 'Promise.resolve()',
  },
  {
    ...CLAIMS,
    breaks: 'a hub goes on in a namespace that another one has taken',
    inside: 'holdNamespace',
    text: 'if (holder !== null) reject(',
    becomes: 'if (holder === hub) reject(',
  },
  {
    ...CLAIMS,
    breaks: 'a Temporal that answers nothing gets one more look of each process a minute',
    inside: 'holdNamespace',
    text: 'if (isLooking) return;',
    becomes: '',
  },
  {
    ...CLAIMS,
    breaks: 'an agent whose Temporal answers nothing never starts',
    inside: 'within',
    text: 'client.withDeadline(Date.now() + PROCESS_TIMES.claimLook.ms, look)',
    becomes: 'look()',
  },
  {
    ...CLAIMS,
    breaks: 'an agent of a second hub answers for the first one',
    inside: 'refuseForeign',
    text: 'holder === null || holder === hub',
    becomes: 'holder === null || holder !== hub',
  },
  {
    ...OTHERS,
    breaks: 'a leave that is repeated takes the other hub for the one that it leaves',
    inside: 'hubsOf',
    text: 'hubId ?? data[agent] ??',
    becomes: 'data[agent] ??',
  },
  {
    ...OTHERS,
    breaks: 'a site whose agent is of no hub leaves as the first',
    inside: 'hubsOf',
    text: '(isFirstNamed ? null : first)',
    becomes: 'first',
  },
];
