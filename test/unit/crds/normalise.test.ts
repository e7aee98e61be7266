import { normalise } from '../../../crds/capp/normalise.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { sampleCapp } from '../../support/builders/samples.ts';
import { parseSpec } from '../../../crds/capp/capp.ts';

const elastic = { type: 'elastic', host: 'h', index: 'i' };

describe('normalise', () => {
  it.each([
    {
      title: 'an older name alone becomes the canonical one, silently',
      spec: { logSpec: { ...elastic, username: 'u', passwordSecretName: 'p' } },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'a canonical name wins over its alias, with a warning',
      spec: { logSpec: { ...elastic, user: 'new', username: 'old', passwordSecret: 'p' } },
      want: { logSpec: { ...elastic, user: 'new', passwordSecret: 'p' } },
      warnings: ['spec.logSpec.username has no effect: spec.logSpec.user is set.'],
    },
    {
      title: 'an alias that agrees is no cause for a warning',
      spec: {
        logSpec: { ...elastic, user: 'u', username: 'u', passwordSecret: 'p', passwordSecretName: 'p' },
      },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'an empty canonical name does not hide its alias',
      spec: { logSpec: { ...elastic, user: '', username: 'u', passwordSecret: 'p' } },
      want: { logSpec: { ...elastic, user: 'u', passwordSecret: 'p' } },
      warnings: [],
    },
    {
      title: 'a TLS secret is kept and said to have no effect',
      spec: { routeSpec: { hostname: 'a.b', tlsEnabled: true, tlsSecret: 'Any' } },
      want: { routeSpec: { hostname: 'a.b', tlsEnabled: true, tlsSecret: 'Any' } },
      warnings: [
        'spec.routeSpec.tlsSecret has no effect: the name of the TLS secret is derived from the hostname.',
      ],
    },
    {
      title: 'a later metric becomes scaleMetric, and bounds stay',
      spec: { scaleSpec: { metric: 'cpu', minReplicas: 2 } },
      want: { scaleMetric: 'cpu', scaleSpec: { minReplicas: 2 } },
      warnings: [],
    },
    {
      title: 'a later metric wins over another older one, with a warning',
      spec: { scaleMetric: 'rps', scaleSpec: { metric: 'cpu' } },
      want: { scaleMetric: 'cpu', scaleSpec: undefined },
      warnings: ['spec.scaleMetric has no effect: spec.scaleSpec.metric is set.'],
    },
  ])('$title', ({ spec, want, warnings }) => {
    const normalised = normalise(aCapp({ spec }));
    expect(normalised.capp.spec).toEqual({ ...aCapp().spec, ...want });
    expect(normalised.warnings).toEqual(warnings);
    expect(normalise(normalised.capp).capp).toEqual(normalised.capp);
  });

  it('changes nothing in the Capp that it is given', () => {
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
  ])('reads the seed sample $file', ({ file, secret }) => {
    const raw = sampleCapp(file);
    const spec = parseSpec(raw.spec);
    const { capp } = normalise({ ...aCapp(), spec });
    expect(capp.spec.logSpec).toMatchObject({ user: 'elastic', passwordSecret: secret, host: '10.11.12.13' });
    expect(capp.spec.scaleMetric).toBe('concurrency');
    expect(raw.spec).toHaveProperty('configurationSpec', capp.spec.configurationSpec);
  });
});
