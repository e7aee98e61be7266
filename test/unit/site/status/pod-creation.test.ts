// A revision whose Pods cannot be created reports the API server's message; a revision that serves and only
// cannot scale up keeps serving.
import { readFileSync } from 'node:fs';
import type { Pod } from '../../../../crds/kubernetes/core.ts';
import { isHealthy } from '../../../../crds/capp/status.ts';
import { siteStatus } from '../../../../site/status/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';
import { aPod, aRevision, aService, is } from '../../../support/builders/site/knative.ts';

/**
 * What kube-controller-manager v1.35.4 wrote into the status of Deployments whose Pods its API server did not
 * take; Knative passes it on. A request above the limit of the same container stops at the Deployment
 * already: here the limit is a LimitRange's.
 */
const RECORDED = JSON.parse(readFileSync(new URL('failed-create.json', import.meta.url), 'utf8')) as Record<
  string,
  { message: string }
>;
const [INVALID, QUOTA, POLICY, NO_ACCOUNT, NO_WEBHOOK] = [
  'above-limit',
  'quota',
  'policy',
  'no-account',
  'no-webhook',
].map((name) => RECORDED[name]?.message ?? '') as [string, string, string, string, string];

function statusWith(words: string, { pods = [], ready }: { pods?: readonly Pod[]; ready?: string } = {}) {
  const service = aService({
    created: 'r1',
    ...(ready === undefined ? {} : { ready }),
    conditions: [
      is('ConfigurationsReady', 'False', 'RevisionFailed'),
      is('RoutesReady', 'True'),
      is('Ready', 'False'),
    ],
  });
  const starved = { ...is('ResourcesAvailable', 'False', 'FailedCreate'), message: words };
  const revisions = [
    aRevision('r1', is('Ready', 'False', 'FailedCreate'), is('ContainerHealthy', 'Unknown'), starved),
  ];
  const seen = { ...SEEN_NOTHING, service, revisions, pods };
  return siteStatus(aCapp(), seen, '2026-11-21T08:00:00Z');
}

const readyIn = (status: ReturnType<typeof statusWith>) =>
  status.conditions?.find(({ type }) => type === 'Ready');

test.each([
  ['whose Pod is invalid on any site', INVALID, 'must be less than or equal to memory limit of 10Mi'],
  ['that would exceed the quota of its namespace', QUOTA, 'exceeded quota: small'],
  [
    'whose Pod violates the Pod Security level of the site',
    POLICY,
    'violates PodSecurity "restricted:latest"',
  ],
])('a revision %s sets Ready to False with the message of the API server', (_name, words, told) => {
  expect(readyIn(statusWith(words))).toMatchObject({
    status: 'False',
    reason: 'RolloutFailed',
    message: expect.stringMatching(/^No Pod of revision r1 could be created: /),
  });
  expect(readyIn(statusWith(words))?.message).toContain(told);
});

test.each([NO_ACCOUNT, NO_WEBHOOK, ''])(
  'Ready stays Unknown, with the message, while Pods cannot be created for a reason that may pass: %s',
  (words) => {
    expect(readyIn(statusWith(words))).toMatchObject({
      status: 'Unknown',
      reason: 'Deploying',
      message: expect.stringContaining(words === '' ? 'does not say why' : words.slice(0, 60)),
    });
  },
);

test('a ServiceAccount that the Capp names and the site lacks is named, with what to do', () => {
  const words = NO_ACCOUNT.replaceAll('default', 'team.app');
  expect(readyIn(statusWith(words))).toMatchObject({
    status: 'Unknown',
    message:
      'No Pod of revision r1 could be created: the site has no ServiceAccount team.app there, and a Capp brings none. Create it, or take serviceAccountName out of the template.',
  });
  const long = readyIn(statusWith(words.replace('/team.app', `/${'a'.repeat(253)}`)));
  expect(long?.message.length).toBeLessThan(256);
});

test('a long message of the API server is shortened to less than 256 characters', () => {
  expect(readyIn(statusWith(`is invalid: ${'x'.repeat(5_000)}`))?.message.length).toBeLessThan(256);
});

test('a revision that serves keeps serving when it cannot scale up', () => {
  const growing = statusWith(QUOTA, { pods: [aPod('r1', null)], ready: 'r1' });
  expect(isHealthy(growing)).toBe(true);
  expect(readyIn(growing)?.status).not.toBe('False');
  expect(isHealthy(statusWith(QUOTA, { ready: 'r1' }))).toBe(false);
});
