// Routing by the stand-in for a site’s ingress: percentages, and the readiness of Pods.
import { KNATIVE_REVISION_LABEL } from '../../../../crds/kubernetes/knative.ts';
import { answerTo } from '../../../../deploy/local/standins/ingress/gateway.ts';
import { answeringPod, leanPod } from '../../../../deploy/local/standins/ingress/answering-pod.ts';
import { destinationOf } from '../../../../deploy/local/standins/ingress/destination.ts';
import type { StandInPod } from '../../../../deploy/local/standins/pods/pod.ts';
import { to, service, pod, routes, draws, asked } from '../../../support/builders/site/ingresses.ts';

describe('percentages', () => {
  const pods = [pod('old'), pod('new'), pod('never')];
  const site = routes([service(to('never', 0), to('old', 75), to('new', 25))], pods);
  const revision = (draw: number) => destinationOf(asked(), site, draws(draw));

  it.each([
    { draw: 0, gets: 'old' },
    { draw: 0.7499, gets: 'old' },
    { draw: 0.75, gets: 'new' },
    { draw: 0.9999, gets: 'new' },
  ])('of 75 and 25: a draw of $draw gets $gets', ({ draw, gets }) =>
    expect(revision(draw)).toMatchObject({ pod: { revision: gets } }),
  );

  it('of a hundred requests, each split gets its own number', () => {
    const got = Array.from({ length: 100 }, (_, index) => revision(index / 100)).map((one) =>
      one.kind === 'pod' ? one.pod.revision : one.kind,
    );
    expect(got.filter((one) => one === 'old')).toHaveLength(75);
    expect(got.filter((one) => one === 'new')).toHaveLength(25);
  });

  it('an only split without a percentage gets everything', () => {
    expect(destinationOf(asked(), routes([service(to('new'))], pods), draws(0.99))).toMatchObject({
      pod: { revision: 'new' },
    });
  });

  it('a split without a ready Pod keeps its share: those requests are refused', () => {
    const half = routes([service(to('old', 50), to('new', 50))], [pod('old')]);
    expect(destinationOf(asked(), half, draws(0.4))).toMatchObject({ kind: 'pod' });
    expect(destinationOf(asked(), half, draws(0.6))).toEqual({
      kind: 'no-ready-pod',
      namespace: 'ns',
      revision: 'new',
    });
  });
});

describe('Pods', () => {
  const written = (ready: 'True' | 'False' | null, deletionTimestamp?: string): StandInPod => ({
    metadata: {
      name: 'p',
      namespace: 'ns',
      labels: { [KNATIVE_REVISION_LABEL]: 'hello-1' },
      annotations: { long: 'text' },
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      containers: [
        { name: 'queue-proxy', image: 'queue' },
        { name: 'hello', image: 'ghcr.io/me/hello:v1', env: [{ name: 'A' }] },
      ],
    },
    status:
      ready === null
        ? {}
        : { conditions: [{ type: 'Ready', status: ready, lastProbeTime: null, lastTransitionTime: '' }] },
  });

  it.each([
    { title: 'a ready Pod takes requests', given: written('True'), takes: true },
    { title: 'an unready Pod takes none', given: written('False'), takes: false },
    { title: 'a Pod without a status takes none', given: written(null), takes: false },
    { title: 'a ready Pod that is being deleted takes none', given: written('True', 'now'), takes: false },
  ])('$title', ({ given, takes }) => {
    expect(answeringPod(given).takesRequests).toBe(takes);
    expect(answeringPod(leanPod(given))).toEqual(answeringPod(given));
  });

  it('are chosen evenly among those that take requests', () => {
    const pods = [pod('r', 'a'), pod('r', 'unready', false), pod('r', 'b'), pod('r', 'c')];
    const site = routes([service(to('r'))], pods);
    const names = [0, 0.33, 0.34, 0.66, 0.67, 0.99].map((draw) => {
      const found = destinationOf(asked(), site, draws(0, draw));
      return found.kind === 'pod' ? found.pod.name : found.kind;
    });
    expect(names).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('answer with who they are, and never with the image of the queue-proxy', () => {
    const answer = answerTo({ kind: 'pod', pod: answeringPod(written('True')) }, 'site-1');
    expect(answer).toEqual({
      status: 200,
      headers: {
        'stand-in-site': 'site-1',
        'stand-in-revision': 'hello-1',
        'stand-in-pod': 'p',
        'stand-in-image': 'ghcr.io/me/hello:v1',
      },
      body: 'Hello from site-1! I am the Pod p of the revision hello-1, image ghcr.io/me/hello:v1.\n',
    });
  });
});
