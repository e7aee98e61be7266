// Faults in who is let in by a token, and in what the join of a cluster tells.
import type { Mutant } from '../mutant.ts';

const APPROVE = {
  file: 'activities/hub/join/approve.ts',
  seenBy: ['test/activity/hub/join/approve.test.ts', 'test/activity/hub/join/left-alone.test.ts'],
} as const;
const VERDICT = { file: 'workflows/join/verdict.ts', seenBy: ['test/unit/join/verdict.test.ts'] } as const;
const REQUEST = {
  file: 'crds/join/signing-request.ts',
  seenBy: ['test/unit/join/requests.test.ts'],
} as const;
const STEPS = { file: 'deploy/join/steps.ts', seenBy: ['test/unit/deploy/join/steps.test.ts'] } as const;

export const JOINS: readonly Mutant[] = [
  {
    breaks: 'an agent that takes the receipt away uses its token again',
    file: 'crds/join/spending.ts',
    inside: 'paidBy',
    text: "state === 'Approved'",
    becomes: "state === 'Denied'",
    seenBy: ['test/activity/hub/join/approve.test.ts'],
  },
  {
    breaks: 'a token that the annotations do not name any more stays, though it is spent',
    file: 'crds/join/sight.ts',
    inside: 'sightOf',
    text: 'cameBy(seen) ??',
    becomes: '',
    seenBy: ['test/activity/hub/join/approve.test.ts'],
  },
  {
    breaks: 'a cluster that asks while no bridge watches waits for a day',
    file: 'bridge/joins/keep.ts',
    inside: 'keptJoins',
    text: 'isFirst || !ids.has(id)',
    becomes: '!ids.has(id)',
    seenBy: ['test/unit/bridge/joins/keep.test.ts'],
  },
  {
    ...STEPS,
    breaks: 'a cluster has joined before its add-on is Available',
    inside: 'nextStep',
    text: "phase === 'Equipped'",
    becomes: "phase === 'Available' || phase === 'Equipped'",
  },
  {
    ...STEPS,
    breaks: 'a step that goes on by itself is called stuck',
    inside: 'nextStep',
    text: 'reason !== null &&',
    becomes: '',
  },
  {
    ...STEPS,
    breaks: 'a step that changes its words is never stuck',
    inside: 'nextStep',
    text: 'key === before.key ?',
    becomes: 'sentence === before.sentence ?',
  },
  {
    ...VERDICT,
    breaks: 'Pods that do not run are told as a work that is not applied',
    inside: 'behind',
    text: 'addOn.isApplied === false',
    becomes: 'addOn.isApplied !== null',
  },
  {
    ...APPROVE,
    breaks: 'a token for one cluster lets another in',
    inside: 'againstToken',
    text: 'bound?.cluster !== name',
    becomes: 'bound === null',
  },
  {
    ...APPROVE,
    breaks: 'a token counts for a ManagedCluster that somebody else has made under the name',
    inside: 'againstToken',
    text: "bound.uid === '' || bound.uid !== uid",
    becomes: "bound.uid === ''",
  },
  {
    ...APPROVE,
    breaks: 'a token counts when it has ended',
    inside: 'againstToken',
    text: '(endOfToken(token) ?? 0) <= now',
    becomes: '(endOfToken(token) ?? 0) <= 0',
  },
  {
    ...APPROVE,
    breaks: 'a token counts after another was made',
    inside: 'againstToken',
    text: 'annotations?.[JOIN_TOKEN] !== id',
    becomes: 'annotations === undefined',
  },
  {
    ...APPROVE,
    breaks: 'a token counts twice',
    inside: 'againstUse',
    text: 'paidFor !== request.metadata.uid',
    becomes: "paidFor === ''",
  },
  {
    ...APPROVE,
    breaks: 'whom a person refuses again is approved by a late try',
    inside: 'againstUse',
    text: 'cluster.spec?.hubAcceptsClient === true',
    becomes: "id !== ''",
  },
  {
    ...APPROVE,
    breaks: 'of two who come at once both are noted',
    inside: 'approve',
    text: 'metadata: { uid, resourceVersion, annotations: { [JOINED_BY]: receiptOf(found) } }',
    becomes: 'metadata: { uid, annotations: { [JOINED_BY]: receiptOf(found) } }',
  },
  {
    ...APPROVE,
    breaks: 'a token that nobody has used is deleted',
    inside: 'hubJoins',
    text: "uid === '' || spentOn({ cluster: joining, token, under, id }) === null",
    becomes: "uid === '' || joining === null",
  },
  {
    ...VERDICT,
    breaks: 'a token is deleted while its agent waits for the certificate',
    inside: 'released',
    text: 'due <= now || hasCome(cluster, paid)',
    becomes: 'due > 0',
  },
  {
    ...VERDICT,
    breaks: 'a request that does not fit is approved',
    inside: 'payable',
    text: 'unfit === null &&',
    becomes: '',
  },
  {
    ...REQUEST,
    breaks: 'an agent gets whatever groups it asks for',
    inside: 'unfitness',
    text: 'one !== own && one !== ALL_CLUSTERS',
    becomes: "one === ''",
  },
  {
    ...REQUEST,
    breaks: 'an agent gets the name of another cluster that begins like its own',
    inside: 'unfitness',
    text: 'commonName.startsWith(`${own}:`)',
    becomes: 'commonName.startsWith(own)',
  },
  {
    breaks: 'a certificate for other names beside is taken',
    file: 'crds/join/subject.ts',
    inside: 'inInfo',
    text: 'attributes.content.length === 0',
    becomes: 'attributes.content.length >= 0',
    seenBy: ['test/unit/join/requests.test.ts'],
  },
];
