// Routing by the stand-in for a site's ingress: hosts, paths, percentages and the readiness of Pods.
import { KNATIVE_REVISION_LABEL } from '../../../crds/kubernetes/knative.ts';
import { answerTo } from '../../../deploy/local/standins/ingress/gateway.ts';
import {
  answeringPod,
  leanPod,
  type AnsweringPod,
} from '../../../deploy/local/standins/ingress/answering-pod.ts';
import {
  destinationOf,
  missingFor,
  type AppRequest,
  type Routes,
} from '../../../deploy/local/standins/ingress/destination.ts';
import {
  INGRESS_CLASS,
  isOurs,
  type Ingress,
  type Path,
  type Rule,
  type Split,
} from '../../../deploy/local/standins/ingress/ingress-object.ts';
import { ingressStatus } from '../../../deploy/local/standins/ingress/status.ts';
import type { Pod } from '../../../deploy/local/standins/pods/pod.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOST = 'hello.ns.site-1.localhost';
const INSIDE = 'hello.ns.svc.cluster.local';

const to = (revision: string, percent?: number): Split => ({
  serviceNamespace: 'ns',
  serviceName: revision,
  ...(percent === undefined ? {} : { percent }),
});
const rule = (hosts: readonly string[], paths: readonly Path[], visibility?: string): Rule => ({
  hosts,
  http: { paths },
  ...(visibility === undefined ? {} : { visibility }),
});
const made = (name: string, rules: readonly Rule[], creationTimestamp = '2026-01-01T00:00:00Z'): Ingress => ({
  metadata: { name, namespace: 'ns', generation: 2, creationTimestamp },
  spec: { rules },
});
const service = (...splits: readonly Split[]): Ingress =>
  made('hello', [rule([INSIDE], [{ splits }], 'ClusterLocal'), rule([HOST], [{ splits }], 'ExternalIP')]);
const mapping = made('shop.example.com', [
  rule(['shop.example.com'], [{ rewriteHost: INSIDE, splits: [to('hello', 100)] }]),
]);
const pod = (revision: string, name = `${revision}-a`, takesRequests = true): AnsweringPod => ({
  name,
  revision,
  image: 'i',
  takesRequests,
});

function routes(ingresses: readonly Ingress[], pods: readonly AnsweringPod[]): Routes {
  return {
    ingressesFor: (host) =>
      ingresses.filter(({ spec }) => spec?.rules?.some(({ hosts = [] }) => hosts.includes(host))),
    podsOf: (namespace, revision) =>
      namespace === 'ns' ? pods.filter((one) => one.revision === revision) : [],
  };
}

/** Draws these numbers in turn. */
const draws =
  (...numbers: number[]) =>
  () =>
    numbers.shift() ?? 0;
const asked = (more: Partial<AppRequest> = {}): AppRequest => ({
  host: HOST,
  path: '/',
  headers: {},
  isSecure: false,
  ...more,
});

describe('a request', () => {
  const site = routes([service(to('hello-1')), mapping], [pod('hello-1')]);

  it.each([HOST, `${HOST}:8080`, HOST.toUpperCase(), `${HOST}.`])(
    'for the host %s reaches the app',
    (host) => {
      expect(destinationOf(asked({ host }), site, draws())).toEqual({ kind: 'pod', pod: pod('hello-1') });
    },
  );

  it('for the domain of a DomainMapping reaches the app that it leads to', () => {
    expect(destinationOf(asked({ host: 'shop.example.com' }), site, draws())).toMatchObject({ kind: 'pod' });
  });

  it.each(['', 'other.example.com', 'example.com', 'a.shop.example.com'])(
    'for the host "%s", which no app has, is refused',
    (host) => expect(destinationOf(asked({ host }), site, draws())).toEqual({ kind: 'unknown-host', host }),
  );

  it('from outside for a host inside the site is refused', () => {
    expect(destinationOf(asked({ host: INSIDE }), site, draws()).kind).toBe('unknown-host');
  });

  it('for a DomainMapping whose app is gone is refused', () => {
    expect(destinationOf(asked({ host: 'shop.example.com' }), routes([mapping], []), draws()).kind).toBe(
      'unknown-host',
    );
  });

  it('without TLS is sent to TLS where the Ingress says so, and only from outside', () => {
    const strict = { ...mapping, spec: { ...mapping.spec, httpOption: 'Redirected' } };
    const both = routes([service(to('hello-1')), strict], [pod('hello-1')]);
    const ask = (isSecure: boolean) =>
      destinationOf(asked({ host: 'shop.example.com', path: '/a', isSecure }), both, draws());
    expect(ask(false)).toEqual({ kind: 'with-tls', host: 'shop.example.com', path: '/a' });
    expect(ask(true).kind).toBe('pod');
  });

  it('for a domain that leads to itself is refused', () => {
    const loop = made('a', [rule(['a.example.com'], [{ rewriteHost: 'a.example.com' }])]);
    expect(destinationOf(asked({ host: 'a.example.com' }), routes([loop], []), draws()).kind).toBe('no-path');
  });

  it('for a host that two Ingresses have goes to the older one', () => {
    const younger = {
      ...service(to('other-1')),
      metadata: { name: 'a', creationTimestamp: '2026-01-02T00:00:00Z' },
    };
    const both = routes([younger, service(to('hello-1'))], [pod('hello-1'), pod('other-1')]);
    expect(destinationOf(asked(), both, draws())).toMatchObject({ pod: { revision: 'hello-1' } });
  });

  it('takes the first path whose prefix and headers match, as in Knative', () => {
    const tagged = made('hello', [
      rule(
        [HOST],
        [
          { headers: { 'Knative-Serving-Tag': { exact: 'next' } }, splits: [to('next')] },
          { path: '/api', splits: [to('api')] },
          { path: '/web', splits: [to('web')] },
        ],
      ),
    ]);
    const site1 = routes([tagged], [pod('next'), pod('api'), pod('web')]);
    const revision = (more: Partial<AppRequest>) => destinationOf(asked(more), site1, draws());
    expect(revision({ path: '/api/1', headers: { 'knative-serving-tag': 'next' } })).toMatchObject({
      pod: { revision: 'next' },
    });
    expect(revision({ path: '/api/1', headers: { 'knative-serving-tag': 'other' } })).toMatchObject({
      pod: { revision: 'api' },
    });
    expect(revision({ path: '/web' })).toMatchObject({ pod: { revision: 'web' } });
    expect(revision({ path: '/' })).toEqual({ kind: 'no-path', host: HOST, path: '/' });
  });
});

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
  const written = (ready: 'True' | 'False' | null, deletionTimestamp?: string): Pod => ({
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

describe('a refusal', () => {
  it.each([
    {
      to: { kind: 'unknown-host', host: 'x' } as const,
      status: 404,
      body: 'No app of site-1 has the host "x".\n',
    },
    {
      to: { kind: 'no-path', host: 'x', path: '/y' } as const,
      status: 404,
      body: 'The app of x on site-1 has no route for /y.\n',
    },
    {
      to: { kind: 'no-ready-pod', namespace: 'ns', revision: 'r' } as const,
      status: 503,
      body: 'The revision ns/r has no ready Pod on site-1.\n',
    },
  ])('for $to.kind says why', ({ to: destination, status, body }) =>
    expect(answerTo(destination, 'site-1')).toEqual({ status, headers: {}, body }),
  );
});

describe('an Ingress', () => {
  const hello = service(to('old', 75), to('new', 25), to('never', 0));
  const ready = (status: Record<string, unknown>) =>
    (status['conditions'] as { type: string; status: string; message?: string }[]).find(
      ({ type }) => type === 'Ready',
    );

  it('waits until each split has a ready Pod, except splits that get nothing', () => {
    expect(missingFor(hello, routes([hello], [pod('old'), pod('new', 'n', false)]))).toBe(
      'The revision ns/new has no ready Pod.',
    );
    expect(missingFor(hello, routes([hello], [pod('old'), pod('new')]))).toBeNull();
  });

  it('of a DomainMapping waits for the app that it leads to', () => {
    expect(missingFor(mapping, routes([mapping], []))).toBe(`No Ingress has the host ${INSIDE}.`);
    expect(missingFor(mapping, routes([mapping, hello], []))).toBeNull();
  });

  it('is not Ready while it waits, and says for what', () => {
    const status = ingressStatus(hello, 'The revision ns/new has no ready Pod.', NOW);
    expect(status['observedGeneration']).toBe(2);
    expect(ready(status)).toMatchObject({
      status: 'Unknown',
      message: 'The revision ns/new has no ready Pod.',
    });
  });

  it('is Ready when it waits for nothing, and nothing is written the second time', () => {
    const status = ingressStatus(hello, null, NOW);
    expect(ready(status)).toMatchObject({ status: 'True' });
    expect(ingressStatus({ ...hello, status }, null, NOW + 60_000)).toEqual(status);
  });

  it('that was Ready stays Ready when its Pods go, and the next generation waits again', () => {
    const status = ingressStatus(hello, null, NOW);
    expect(ready(ingressStatus({ ...hello, status }, 'No Pod.', NOW))).toMatchObject({ status: 'True' });
    const edited = { ...hello, status, metadata: { ...hello.metadata, generation: 3 } };
    expect(ready(ingressStatus(edited, 'No Pod.', NOW))).toMatchObject({ status: 'Unknown' });
  });

  it.each([
    { annotations: { 'networking.knative.dev/ingress.class': INGRESS_CLASS }, ours: true },
    { annotations: { 'networking.knative.dev/ingress-class': INGRESS_CLASS }, ours: true },
    {
      annotations: { 'networking.knative.dev/ingress.class': 'kourier.ingress.networking.knative.dev' },
      ours: false,
    },
    { annotations: undefined, ours: false },
  ])('of class $annotations is ours: $ours', ({ annotations, ours }) =>
    expect(isOurs({ metadata: { name: 'i', ...(annotations === undefined ? {} : { annotations }) } })).toBe(
      ours,
    ),
  );
});
