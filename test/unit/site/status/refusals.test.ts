// The site operator retries what the site's API server forbids for five seconds, because the Role that came
// with the Capp may not be effective yet.
import { asFault } from '../../../../site/objects/fault.ts';
import { refusals } from '../../../../site/objects/refusals.ts';
import { ready, serving } from '../../../../site/status/ready.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { ApiError } from '../../../../kube/failure.ts';

const POST = { method: 'POST', path: '/apis/serving.knative.dev/v1/namespaces/apps/services' };
const refused = (code: number): Error =>
  asFault(new ApiError({ ...POST, code, reason: 'x' }), 'the Knative Service app') as Error;

function aCapp(generation = 1, uid = 'uid-1'): Capp {
  return {
    metadata: { namespace: 'apps', name: 'app', uid, generation },
    spec: { state: 'enabled' },
  } as never;
}

test('a refusal counts as young for five seconds after the first one for a generation', () => {
  let now = 0;
  const known = refusals(() => now);
  const isYoung = (capp = aCapp()): boolean => known.isYoung(capp, refused(403));
  expect(isYoung()).toBe(true);
  now = 4_999;
  expect(isYoung()).toBe(true);
  now = 5_000;
  expect([isYoung(), isYoung(aCapp(2)), isYoung(aCapp(2, 'uid-2'))]).toEqual([false, true, true]);
  now = 10_000;
  known.isYoung(aCapp(2, 'uid-2'), null);
  expect(isYoung(aCapp(2, 'uid-2'))).toBe(true);
  now = 15_000;
  known.forget('apps/app');
  expect(isYoung(aCapp(2, 'uid-2'))).toBe(true);
});

test('only a refusal for missing rights counts as young', () => {
  const known = refusals(() => 0);
  expect([422, 400].map((code) => known.isYoung(aCapp(), refused(code)))).toEqual([false, false]);
  expect(known.isYoung(aCapp(), null)).toBe(false);
});

describe('a Capp whose Service could not be written', () => {
  const status = {
    observedGeneration: 3,
    latestCreatedRevisionName: 'app-1',
    latestReadyRevisionName: 'app-1',
    conditions: ['Ready', 'RoutesReady'].map((type) => ({ type, status: 'True' })),
  };
  const service = { metadata: { name: 'app', generation: 3 }, status } as unknown as KnativeService;
  const seen = {
    service,
    revisions: [],
    pods: [],
    lacking: null,
    ingress: null,
    isUndeployed: false,
    isUnmade: false,
    unstarted: null,
  };

  test('has Ready Unknown and keeps Serving True while the refusal is young, even if an earlier generation is Ready', () => {
    const young = { ...seen, fault: { reason: 'Refused', message: 'm', isPassing: true } } as const;
    expect(ready(aCapp(), young)).toMatchObject({ status: 'Unknown', reason: 'Deploying', message: 'm' });
    expect(serving(aCapp(), young)).toMatchObject({ status: 'True' });
  });

  test('has Ready False when the refusal lasts', () => {
    const old = { ...seen, fault: { reason: 'Refused', message: 'm' } } as const;
    expect(ready(aCapp(), old)).toMatchObject({ status: 'False', reason: 'Refused' });
  });
});
