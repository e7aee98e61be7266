// Faults in what becomes of what people write: fields that no site takes, annotations, and objects that pass
// from one Bundle to another.
import type { Mutant } from './mutant.ts';

const OWNERS = ['test/unit/hub/bundle/owners.test.ts'];
const HEIRS = { file: 'activities/hub/bundle/owners/heirs.ts', seenBy: OWNERS };

const PASSING_ON: readonly Mutant[] = [
  {
    ...HEIRS,
    breaks: 'a Bundle takes fields by force from another that carries the object',
    inside: 'isGoneOf',
    text: '!heldIn(work).objects.includes(hash)',
    becomes: 'true',
  },
  {
    ...HEIRS,
    breaks: 'a Bundle that takes an object over never gets its fields',
    inside: 'isGoneOf',
    text: '!heldIn(work).objects.includes(hash)',
    becomes: 'false',
  },
  {
    ...HEIRS,
    breaks: 'a Bundle takes the fields of a Bundle of the other hub of a site',
    inside: 'isGoneOf',
    text: 'terms.executorHub === undefined || ',
    becomes: 'true || ',
  },
  {
    file: 'activities/hub/bundle/sites.ts',
    breaks: 'a Bundle with the work agent’s rights takes the fields of a Bundle of the other hub of a site',
    inside: 'executorFor',
    text: '...(areOfHub(rules) ?',
    becomes: '...(areOfHub(rules) && !isByAgent(spec, isFree) ?',
    seenBy: OWNERS,
  },
  {
    file: 'activities/hub/bundle/owners/held.ts',
    breaks: 'the fields of a person beside a Bundle that is gone are taken by force',
    inside: 'heldIn',
    text: 'managers.every(',
    becomes: 'managers.some(',
    seenBy: OWNERS,
  },
  {
    file: 'activities/hub/bundle/owners/parting.ts',
    breaks: 'a Bundle drops an object that another keeps, and goes on owning its fields',
    inside: 'hasAnswered',
    text: 'return isBare && ',
    becomes: 'return ',
    seenBy: OWNERS,
  },
  {
    file: 'activities/hub/bundle/members.ts',
    breaks: 'a rollout stops for a conflict that is being resolved',
    inside: 'memberOn',
    text: 'isEarly || freed.size > 0',
    becomes: 'isEarly',
    seenBy: OWNERS,
  },
  {
    file: 'activities/hub/bundle/members.ts',
    breaks: 'a manifest is applied by force for ever',
    inside: 'carriedBy',
    text: ' || !isForcedAs(seen, freed)',
    becomes: '',
    seenBy: OWNERS,
  },
];

const UNSERVED = {
  file: 'site/workload/unserved.ts',
  seenBy: ['test/unit/site/workload/unserved.test.ts'],
};

const ON_SITES: readonly Mutant[] = [
  {
    ...UNSERVED,
    breaks: 'a revision whose requests are buffered is said to have no autoscaler',
    inside: 'lackedBy',
    text: " || active.reason !== 'Deploying'",
    becomes: '',
  },
  {
    ...UNSERVED,
    file: 'site/workload/lasting.ts',
    breaks: 'a new revision is said to have no autoscaler at once, after one that had none',
    inside: 'lasting',
    text: 'before?.what === what ? before.since : now()',
    becomes: 'before?.since ?? now()',
  },
  {
    file: 'site/workload/unstarted.ts',
    breaks: 'a Pod that waits for its volume is told of although another of its revision runs',
    inside: 'unstarted',
    text: 'own.every(isWaiting)',
    becomes: 'own.some(isWaiting)',
    seenBy: ['test/unit/site/workload/unstarted.test.ts'],
  },
  {
    file: 'kube/refused-fields.ts',
    breaks: 'what Knative’s webhook refuses is refused without the field',
    inside: 'denied',
    text: '!DENIED.test(message)',
    becomes: 'DENIED.test(message)',
    seenBy: ['test/unit/kube/failure.test.ts'],
  },
  {
    file: 'site/workload/features.ts',
    breaks: 'a claim on a site that only allows it is handed to Knative, which refuses it',
    inside: 'isOn',
    text: ' && !ENABLED_ONLY.has(feature)',
    becomes: '',
    seenBy: ['test/unit/site/workload/features.test.ts'],
  },
  {
    file: 'site/workload/autoscaling.ts',
    breaks: 'an older spelling of a user’s annotation does not win',
    inside: 'withOwn',
    text: 'keyIn(own, key.slice(AUTOSCALING.length)) === null',
    becomes: 'own[key] === undefined',
    seenBy: ['test/unit/site/workload/limits.test.ts'],
  },
  {
    file: 'crds/knative/visibility.ts',
    breaks: 'an app that its author made private by an annotation is public',
    inside: 'isPrivate',
    text: "['labels', 'annotations'] as const",
    becomes: "['labels'] as const",
    seenBy: ['test/unit/site/route/private.test.ts'],
  },
  {
    file: 'crds/capp/tls-secret.ts',
    breaks: 'a private key travels to a site that serves nothing with it',
    inside: 'tlsSecretOf',
    text: ' || !tlsEnabled',
    becomes: '',
    seenBy: ['test/unit/crds/references.test.ts'],
  },
];

const ON_THE_HUB: readonly Mutant[] = [
  {
    file: 'admission/rules/spec/revision-name.ts',
    breaks: 'a disabled Capp, which has no revision, cannot be edited under the name of its former one',
    inside: 'faultOf',
    text: 'isRunning(request.oldObject) && ',
    becomes: '',
    seenBy: ['test/unit/admission/capp/revision-name.test.ts'],
  },
  {
    file: 'admission/rules/spec/volumes.ts',
    breaks: 'an NFS volume that is mounted by its claim is refused',
    inside: 'unmounted',
    text: '!used.has(name)',
    becomes: '!mounted.has(name)',
    seenBy: ['test/unit/admission/capp/workload.test.ts'],
  },
  {
    file: 'admission/rules/spec/workload.ts',
    breaks: 'an NFS volume that nobody mounts is made',
    inside: null,
    text: '  volumes,\n  autoscaling,',
    becomes: '  autoscaling,',
    seenBy: ['test/unit/admission/capp/workload.test.ts'],
  },
  {
    breaks: 'a Capp of a set that loses its last annotation is taken for one that somebody has edited',
    file: 'kube/http/calls.ts',
    inside: 'apply',
    text: '!isEmptied(contentOf(written), contentOf(object))',
    becomes: 'written !== null',
    seenBy: ['test/unit/kube/emptied.test.ts'],
  },
  {
    breaks: 'a Knative Service whose volume in memory becomes one on disk is refused for good',
    file: 'kube/http/emptied.ts',
    inside: 'outright',
    text: 'OUTRIGHT.get(name) : undefined',
    becomes: 'undefined : undefined',
    seenBy: ['test/unit/kube/emptied.test.ts'],
  },
  {
    breaks: 'what would be empty without an emptied part is refused in its place, for good',
    file: 'kube/http/emptied.ts',
    inside: 'away',
    text: 'left.length === 0 && parts.length > 0',
    becomes: 'parts.length < 0',
    seenBy: ['test/unit/kube/emptied.test.ts'],
  },
  {
    breaks: 'cert-manager and its Issuers in one Bundle fail while the webhook starts',
    file: 'activities/hub/bundle/status/seen.ts',
    inside: 'stateOf',
    text: 'state: refused.length > 0',
    becomes: 'state: failing.length > 0',
    seenBy: ['test/unit/hub/bundle/status/refusals.test.ts'],
  },
  {
    breaks: 'a Bundle repeats a value that its author forgot to put in quotes',
    file: 'activities/hub/bundle/status/refusals.ts',
    inside: 'withoutValues',
    text: "message.includes('failed to create typed patch object')",
    becomes: "message === ''",
    seenBy: ['test/unit/hub/bundle/status/refusals.test.ts'],
  },
  {
    breaks: 'a Deployment from kubectl get conflicts with its controller after each rollout',
    file: 'crds/bundle/manifests.ts',
    inside: 'withoutRecords',
    text: '!RECORDS.has(key)',
    becomes: "key !== ''",
    seenBy: ['test/unit/hub/bundle/manifests.test.ts'],
  },
  {
    breaks: 'a Secret in plain text is refused by each site, without a word',
    file: 'crds/bundle/manifests.ts',
    inside: 'badData',
    text: 'plain !== undefined',
    becomes: 'plain === null',
    seenBy: ['test/unit/hub/bundle/manifests.test.ts'],
  },
  {
    breaks: 'a Capp of a set keeps the empty list of volumes that its template has lost',
    file: 'crds/set/empty-lists.ts',
    inside: 'without',
    text: 'item.length === 0 &&',
    becomes: 'item.length < 0 &&',
    seenBy: ['test/unit/set/render.test.ts'],
  },
];

export const WRITTEN: readonly Mutant[] = [...PASSING_ON, ...ON_SITES, ...ON_THE_HUB];
