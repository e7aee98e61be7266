// A revision for which no Pod can be made says so in the API server's words, and one that only cannot grow goes on serving.
import type { Pod } from '../../../crds/kubernetes/core.ts';
import { isHealthy } from '../../../crds/capp/status.ts';
import { siteStatus } from '../../../site/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aPod, aRevision, aService, is } from '../../support/builders/knative.ts';

/** As Kubernetes writes it into a ReplicaSet, and Knative passes it on (knative.dev/serving: pkg/apis/serving/k8s_lifecycle.go). */
const INVALID =
  'Pod "app-00001-deployment-6b5d-" is invalid: spec.containers[0].resources.requests: Invalid value: "100Mi": must be less than or equal to memory limit of 10Mi';
const QUOTA = 'pods "app-00001-deployment-6b5d-x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1';
const POLICY = 'pods "app-x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false';
const NO_ACCOUNT = 'pods "app-" is forbidden: error looking up service account apps/default: serviceaccount "default" not found';
const NO_WEBHOOK = 'Internal error occurred: failed calling webhook "policy.example.com": connection refused';

function statusWith(words: string, { pods = [], ready }: { pods?: readonly Pod[]; ready?: string } = {}) {
  const service = aService({
    created: 'r1',
    ...(ready === undefined ? {} : { ready }),
    conditions: [is('ConfigurationsReady', 'False', 'RevisionFailed'), is('RoutesReady', 'True'), is('Ready', 'False')],
  });
  const starved = { ...is('ResourcesAvailable', 'False', 'FailedCreate'), message: words };
  const revisions = [aRevision('r1', is('Ready', 'False', 'FailedCreate'), is('ContainerHealthy', 'Unknown'), starved)];
  const seen = { service, revisions, pods, fault: null, volumes: { nfsPvcs: [], fault: null }, route: { mappings: [], fault: null } };
  return siteStatus(aCapp(), seen, '2026-11-21T08:00:00Z');
}

const readyIn = (status: ReturnType<typeof statusWith>) => status.conditions?.find(({ type }) => type === 'Ready');

test.each([
  ['whose Pod no site would take', INVALID, 'must be less than or equal to memory limit of 10Mi'],
  ['whose quota is used up', QUOTA, 'exceeded quota: small'],
  ['whose Pod the site’s policy refuses', POLICY, 'violates PodSecurity "restricted:latest"'],
])('a revision %s fails in the words of the API server', (_name, words, told) => {
  expect(readyIn(statusWith(words))).toMatchObject({
    status: 'False',
    reason: 'RolloutFailed',
    message: expect.stringMatching(/^No Pod of revision r1 could be created: /),
  });
  expect(readyIn(statusWith(words))?.message).toContain(told);
});

test.each([NO_ACCOUNT, NO_WEBHOOK, ''])('what passes by itself is said while it lasts, and is no failure: %s', (words) => {
  expect(readyIn(statusWith(words))).toMatchObject({
    status: 'Unknown',
    reason: 'Deploying',
    message: expect.stringContaining(words === '' ? 'does not say why' : words.slice(0, 60)),
  });
});

test('however long the words are, they stay short', () => {
  expect(readyIn(statusWith(`is invalid: ${'x'.repeat(5_000)}`))?.message.length).toBeLessThan(256);
});

test('a revision that serves and only cannot grow goes on serving', () => {
  const growing = statusWith(QUOTA, { pods: [aPod('r1', null)], ready: 'r1' });
  expect(isHealthy(growing)).toBe(true);
  expect(readyIn(growing)?.status).not.toBe('False');
  expect(isHealthy(statusWith(QUOTA, { ready: 'r1' }))).toBe(false);
});
