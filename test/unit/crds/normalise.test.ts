// How older and alternative field names of a Capp's spec become the canonical ones.
import { normalise } from '../../../crds/capp/normalise.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { sampleCapp } from '../../support/builders/manifests/samples.ts';
import { parseSpec } from '../../../crds/capp/capp.ts';

const elastic = { type: 'elastic', host: 'h', index: 'i' };

describe('normalise', () => {
  it.each([
    {
      title: 'an older field name alone becomes the canonical one, without a warning',
      spec: { logSpec: { ...elastic, username: 'u', passwordSecretName: 'p' } },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'a canonical field wins over its alias, with a warning',
      spec: { logSpec: { ...elastic, user: 'new', username: 'old', passwordSecret: 'p' } },
      want: { logSpec: { ...elastic, user: 'new', passwordSecret: 'p' } },
      warnings: ['spec.logSpec.username has no effect: spec.logSpec.user is set.'],
    },
    {
      title: 'an alias with the same value causes no warning',
      spec: {
        logSpec: { ...elastic, user: 'u', username: 'u', passwordSecret: 'p', passwordSecretName: 'p' },
      },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'an empty canonical field does not hide its alias',
      spec: { logSpec: { ...elastic, user: '', username: 'u', passwordSecret: 'p' } },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'a TLS secret of a hostname with TLS is kept, without a warning',
      spec: { routeSpec: { hostname: 'a.b', tlsEnabled: true, tlsSecret: 'any' } },
      want: { routeSpec: { hostname: 'a.b', tlsEnabled: true, tlsSecret: 'any' } },
      warnings: [],
    },
    {
      title: 'a TLS secret without TLS is kept, with a warning that it has no effect',
      spec: { routeSpec: { hostname: 'a.b', tlsSecret: 'any' } },
      want: { routeSpec: { hostname: 'a.b', tlsSecret: 'any' } },
      warnings: [
        'spec.routeSpec.tlsSecret has no effect without spec.routeSpec.hostname and spec.routeSpec.tlsEnabled: the Secret is not sent to the site.',
      ],
    },
    {
      title: 'TLS without a hostname is kept, with a warning that it has no effect',
      spec: { routeSpec: { tlsEnabled: true } },
      want: { routeSpec: { tlsEnabled: true } },
      warnings: [
        'spec.routeSpec.tlsEnabled has no effect without spec.routeSpec.hostname: the Capp answers under no name of its own, and has no certificate.',
      ],
    },
    {
      title: 'scaleSpec.metric becomes scaleMetric, and the bounds stay',
      spec: { scaleSpec: { metric: 'cpu', minReplicas: 2 } },
      want: { scaleMetric: 'cpu', scaleSpec: { minReplicas: 2 } },
      warnings: [],
    },
    {
      title: 'scaleSpec.metric wins over another scaleMetric, with a warning',
      spec: { scaleMetric: 'rps', scaleSpec: { metric: 'cpu' } },
      want: { scaleMetric: 'cpu', scaleSpec: undefined },
      warnings: ['spec.scaleMetric has no effect: spec.scaleSpec.metric is set.'],
    },
    {
      title: 'W-38 a traffic target is kept, with a warning that it has no effect',
      spec: { routeSpec: { trafficTarget: { tag: 'canary' } } },
      want: { routeSpec: { trafficTarget: { tag: 'canary' } } },
      warnings: [
        'spec.routeSpec.trafficTarget has no effect: all requests go to the newest revision that is ready.',
      ],
    },
    {
      title: 'the empty traffic target that container-app-operator fills in causes no warning',
      spec: { routeSpec: { trafficTarget: {} } },
      want: { routeSpec: { trafficTarget: {} } },
      warnings: [],
    },
    {
      title: 'minReplicas of older manifests becomes that of scaleSpec',
      spec: { minReplicas: 2, scaleSpec: { maxReplicas: 5 } },
      want: { scaleSpec: { minReplicas: 2, maxReplicas: 5 } },
      warnings: [],
    },
    {
      title: 'minReplicas 0 of older manifests, their default, is none',
      spec: { minReplicas: 0 },
      want: {},
      warnings: [],
    },
    {
      title: 'scaleSpec.minReplicas wins over an older minReplicas, with a warning',
      spec: { minReplicas: 2, scaleSpec: { minReplicas: 0 } },
      want: { scaleSpec: { minReplicas: 0 } },
      warnings: ['spec.minReplicas has no effect: spec.scaleSpec.minReplicas is set.'],
    },
    {
      title: 'sources of older manifests are left out, with a warning that says where to write them',
      spec: { sources: [{ name: 'a', scalarType: 'kafka' }] },
      want: {},
      warnings: ['spec.sources has no effect: write each source into spec.eventSourcesSpec.sources.'],
    },
  ])('$title', ({ spec, want, warnings }) => {
    const normalised = normalise(aCapp({ spec }));
    expect(normalised.capp.spec).toEqual({ ...aCapp().spec, ...want });
    expect(normalised.warnings).toEqual(warnings);
    expect(normalise(normalised.capp).capp).toEqual(normalised.capp);
  });

  it('does not change the Capp that it is given', () => {
    const capp = aCapp({
      spec: { logSpec: { ...elastic, username: 'u', passwordSecretName: 'p' }, scaleSpec: { metric: 'rps' } },
    });
    const before = structuredClone(capp);
    normalise(capp);
    expect(capp).toEqual(before);
  });

  it.each([
    { file: 'seed-hub.yaml', secret: 'es-elastic-user' },
    { file: 'seed-site.yaml', secret: 'es-elastic-user' },
  ])('reads the sample $file', ({ file, secret }) => {
    const raw = sampleCapp(file);
    const spec = parseSpec(raw.spec);
    const { capp } = normalise({ ...aCapp(), spec });
    expect(capp.spec.logSpec).toMatchObject({ user: 'elastic', passwordSecret: secret, host: '10.11.12.13' });
    expect(capp.spec.scaleMetric).toBe('concurrency');
    expect(raw.spec).toHaveProperty('configurationSpec', capp.spec.configurationSpec);
  });
});
