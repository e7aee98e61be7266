// The faults that the tests must detect. `make mutants` applies them one after the other.
import { BASES } from './bases.ts';
import { BUNDLES } from './bundles.ts';
import { DECISIONS } from './decisions.ts';
import { DOORS } from './doors.ts';
import { DRAINS } from './drains.ts';
import { FLEET_GUARDS } from './fleet-guards.ts';
import { FLEET_LIVES } from './fleet-lives.ts';
import { FLEETS } from './fleets.ts';
import { GATEWAY } from './gateway.ts';
import { JOINS } from './joins.ts';
import { METAL_CHAIN } from './metal/chain.ts';
import { METAL_SERVICES } from './metal/services.ts';
import { EXECUTORS } from './executors.ts';
import { GROUNDS } from './grounds.ts';
import { HUBS } from './hubs.ts';
import { MOVES } from './moves.ts';
import { COMMANDS } from './commands.ts';
import type { Mutant } from './mutant.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PODS } from './pods.ts';
import { RELEASES } from './release.ts';
import { STAGES } from './stages.ts';
import { TWO_HUBS } from './two-hubs.ts';
import { VERIFICATION } from './verification.ts';
import { WRITTEN } from './written.ts';

/** Faults in the steps of a workflow. */
const STEPS: readonly Mutant[] = [
  {
    breaks: 'continue-as-new forgets an open question to an agent',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: "|| life.agent.asking().some(({ kind }) => kind === 'report')",
    becomes: '',
    seenBy: ['test/history/hand-over.test.ts'],
  },
  {
    breaks: 'continue-as-new forgets an answer of an agent that nobody has taken',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: 'life.agent.hasNews() ||',
    becomes: '',
    seenBy: ['test/history/hand-over.test.ts'],
  },
  {
    breaks: 'continue-as-new drops the work that is due',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: 'record === null ? life.state : { ...life.state, record }',
    becomes: 'record === null ? { ...life.state, due: [] } : { ...life.state, record }',
    seenBy: ['test/history/recorded.test.ts'],
  },
  {
    breaks: 'a new Capp with the same name is looked for in caches that are older than its ring',
    file: 'workflows/capp/steps/start-over.ts',
    inside: 'startOver',
    text: '    minimumVersions,\n',
    becomes: '',
    seenBy: ['test/history/ending.test.ts'],
  },
  {
    breaks: 'after a place that failed half-way, its work is not looked for',
    file: 'workflows/capp/steps/ship.ts',
    inside: 'place',
    text: 'mayHaveWorks: true',
    becomes: 'unsure: false',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'the answer to a cancelled question counts',
    file: 'workflows/capp/listener.ts',
    inside: null,
    text: 'if (current.get(cluster) !== mine) return;',
    becomes: '',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'a new copy that its site refuses is not given up',
    file: 'workflows/capp/steps/ship.ts',
    inside: 'endMove',
    text: "life.state = abandoned(life.state, life.runtime.now(), 'Failed');",
    becomes: '',
    seenBy: ['test/history/keeping.test.ts'],
  },
];

/** Faults in the hub's activities. */
const HUB: readonly Mutant[] = [
  {
    breaks: 'a work that the cache does not have yet stays, and counts as removed',
    file: 'activities/hub/retire/remove.ts',
    inside: 'worksOnAll',
    text: 'known.length > 0 ? known : worksOn(kube, claim, cluster)',
    becomes: 'known',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a work is removed although the work that must stay is being deleted',
    file: 'activities/hub/retire/remove.ts',
    inside: 'doubtOf',
    text: 'if (work === null || isGoing(work))',
    becomes: 'if (work === null)',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a late removal acts on a confirmation that has expired',
    file: 'activities/hub/retire/remove.ts',
    inside: 'objectionTo',
    text: 'if (found !== null || Date.now() < until) return found;',
    becomes: 'if (found !== null || until > 0) return found;',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a work is overwritten although it changed after it was read',
    file: 'activities/hub/works.ts',
    inside: 'updateWork',
    text: 'metadata: { uid, resourceVersion, ...held,',
    becomes: 'metadata: { uid, ...held,',
    seenBy: ['test/activity/hub/late-tries.test.ts'],
  },
  {
    breaks: 'a work counts as a Capp’s because of a label that a site may write',
    file: 'activities/hub/claim.ts',
    inside: 'isOursByName',
    text: 'if (!workNamesOf({ namespace, name }).includes(metadata.name)) return false;',
    becomes: '',
    seenBy: ['test/unit/hub/claim.test.ts'],
  },
  {
    breaks: 'a Capp that was edited a moment ago is shipped with the Secrets of its former version',
    file: 'activities/hub/ship/ahead.ts',
    inside: 'readFor',
    text: 'ahead?.resourceVersion === metadata.resourceVersion',
    becomes: 'ahead !== null',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
  {
    breaks: 'what is read now of a Capp is thrown away for what was read ahead',
    file: 'activities/hub/ship/prepare.ts',
    inside: 'prepare',
    text: 'readWhile(ahead, capp, wanted) ??',
    becomes: 'ahead?.read() ??',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
  {
    breaks: 'an API server that is slow is read twice at each try',
    file: 'activities/hub/ship/apply.ts',
    inside: 'ship',
    text: '!isAgain && tryNumber() === 1',
    becomes: '!isAgain',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
];

/** Faults in how an activity's try heeds Temporal. */
const TRIES: readonly Mutant[] = [
  {
    breaks: 'an agent that waits sends no heartbeats',
    file: 'activities/agent/report/reports.ts',
    inside: 'agentReports',
    text: 'context.heartbeat()',
    becomes: 'undefined',
    seenBy: ['test/unit/agent/await-verdict.test.ts'],
  },
  {
    breaks: 'an agent waits on for a question that was withdrawn',
    file: 'activities/agent/report/reports.ts',
    inside: 'agentReports',
    text: 'context.cancellationSignal',
    becomes: 'new AbortController().signal',
    seenBy: ['test/unit/agent/await-verdict.test.ts'],
  },
  {
    breaks: 'a try on the hub goes on after Temporal has ended it',
    file: 'activities/trying.ts',
    inside: 'boundsByTemporal',
    text: 'signal: context.cancellationSignal',
    becomes: 'signal: new AbortController().signal',
    seenBy: ['test/unit/activities/trying.test.ts'],
  },
  {
    breaks: 'a drain that was cancelled goes on telling Capps',
    file: 'activities/hub/drain/answer.ts',
    inside: 'inTime',
    text: 'signal.throwIfAborted();',
    becomes: '',
    seenBy: ['test/unit/hub/drain/answer.test.ts'],
  },
];

/** Faults in the bridge. */
const BRIDGE: readonly Mutant[] = [
  {
    breaks: 'the deletion of a work by somebody else causes no ring',
    file: 'bridge/changes/listen.ts',
    inside: 'listenToWorks',
    text: "type === 'Deleted' ? 'now' :",
    becomes: "type === 'Deleted' ? 'never' :",
    seenBy: ['test/activity/bridge/dependencies.test.ts'],
  },
  {
    breaks: 'a spec that somebody else wrote into a work causes no ring',
    file: 'bridge/changes/causes.ts',
    inside: 'urgencyOfWork',
    text: "after.metadata.annotations?.[ROLLOUT] ? 'now' : 'never'",
    becomes: "after.metadata.annotations?.[ROLLOUT] ? 'later' : 'never'",
    seenBy: ['test/unit/bridge/changes/causes.test.ts'],
  },
  {
    breaks: 'the first choice of a Capp rests on an older RCSConfig than the one that the bridge knows',
    file: 'bridge/changes/beside.ts',
    inside: 'versionsOfPlacing',
    text: '...watched.configs.list().map(',
    becomes: '...watched.configs.list().slice(1).map(',
    seenBy: ['test/unit/bridge/changes/beside.test.ts'],
  },
  {
    breaks: 'a Capp whose reason to leave goes while the bridge restarts waits on for another site',
    file: 'bridge/resync/resync.ts',
    inside: 'ringForMisplaced',
    text: '|| isUnsettled(capp)',
    becomes: '',
    seenBy: ['test/unit/bridge/resync/misplaced.test.ts'],
  },
  {
    breaks: 'a bridge that starts rings without the version of the edit that it found',
    file: 'bridge/resync/resync.ts',
    inside: 'callFor',
    text: 'cause, changed, uid,',
    becomes: 'cause, changed: null, uid,',
    seenBy: ['test/unit/bridge/resync/resync.test.ts'],
  },
  {
    breaks: 'a Capp that was resumed while no bridge watched stays paused',
    file: 'bridge/changes/causes.ts',
    inside: 'isPauseUnseen',
    text: 'isReady(capp) && !isSaid : isSaid',
    becomes: 'isReady(capp) && !isSaid : false',
    seenBy: ['test/unit/bridge/resync/stale.test.ts'],
  },
  {
    breaks: 'a Capp that was paused while no bridge watched does not say so',
    file: 'bridge/changes/causes.ts',
    inside: 'isPauseUnseen',
    text: 'isReady(capp) && !isSaid : isSaid',
    becomes: 'false : isSaid',
    seenBy: ['test/unit/bridge/resync/stale.test.ts'],
  },
  {
    breaks: 'a ring about the binding of a clusterset is answered by the cache of clustersets',
    file: 'activities/hub/place/caught-up.ts',
    inside: 'caughtUp',
    text: 'ManagedClusterSetBinding: caches.setBindings',
    becomes: 'ManagedClusterSetBinding: caches.clusterSets',
    seenBy: ['test/unit/hub/place/caught-up.test.ts'],
  },
  {
    breaks: 'a ring about a clusterset is answered by any cache',
    file: 'activities/hub/place/caught-up.ts',
    inside: 'caughtUp',
    text: 'ManagedClusterSet: caches.clusterSets',
    becomes: 'ManagedClusterSet: undefined',
    seenBy: ['test/unit/hub/place/caught-up.test.ts'],
  },
  {
    breaks: 'a CappSet is rung without the versions of what opens its sites',
    file: 'bridge/fleet/sets.ts',
    inside: 'keptSets',
    text: 'beside: () => versionsOfOpenings(watched)',
    becomes: 'beside: () => ({})',
    seenBy: ['test/unit/bridge/changes/openings-heard.test.ts'],
  },
  {
    breaks: 'what a first list opens is compared object by object',
    file: 'bridge/changes/openings.ts',
    inside: 'hearing',
    text: 'counts && !initial ?',
    becomes: 'counts ?',
    seenBy: ['test/unit/bridge/changes/openings.test.ts'],
  },
  {
    breaks: 'a Placement that the RCSConfig comes to name counts as it never was',
    file: 'bridge/changes/openings.ts',
    inside: 'hearing',
    text: 'keep(known, type, object);\n    if (!counts) return;',
    becomes: 'if (!counts) return;\n    keep(known, type, object);',
    seenBy: ['test/unit/bridge/changes/openings.test.ts'],
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...DECISIONS,
  ...DOORS,
  ...GATEWAY,
  ...BASES,
  ...JOINS,
  ...METAL_CHAIN,
  ...METAL_SERVICES,
  ...GROUNDS,
  ...EXECUTORS,
  ...MOVES,
  ...DRAINS,
  ...STEPS,
  ...HUB,
  ...TRIES,
  ...BRIDGE,
  ...RELEASES,
  ...STAGES,
  ...WRITTEN,
  ...PODS,
  ...FLEETS,
  ...FLEET_GUARDS,
  ...FLEET_LIVES,
  ...BUNDLES,
  ...HUBS,
  ...TWO_HUBS,
  ...COMMANDS,
  ...NOTIFICATIONS,
  ...VERIFICATION,
];
