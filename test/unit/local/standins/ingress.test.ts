// Routing by the stand-in for a site’s ingress: hosts, paths, and what Knative reads of an Ingress.
import { answerTo } from '../../../../deploy/local/standins/ingress/gateway.ts';
import {
  destinationOf,
  missingFor,
  type AppRequest,
} from '../../../../deploy/local/standins/ingress/destination.ts';
import { INGRESS_CLASS, isOurs } from '../../../../deploy/local/standins/ingress/ingress-object.ts';
import { ingressStatus } from '../../../../deploy/local/standins/ingress/status.ts';
import {
  HOST,
  INSIDE,
  to,
  rule,
  made,
  service,
  pod,
  routes,
  draws,
  asked,
} from '../../../support/builders/site/ingresses.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const mapping = made('shop.example.com', [
  rule(['shop.example.com'], [{ rewriteHost: INSIDE, splits: [to('hello', 100)] }]),
]);

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
