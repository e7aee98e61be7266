// What the webhook of a site refuses and completes in Capps that people write there.
import { applied } from '../../../admission/patch.ts';
import { applySiteRules, PATHS, SITE_PATHS } from '../../../admission/router.ts';
import { LAST_UPDATED_BY, ROLLOUT } from '../../../crds/labels.ts';
import { asked, raw } from '../../support/builders/admission.ts';
import { CONFIG, facts, judged, refusals, template, kafka } from '../../support/builders/site/admission.ts';

describe('a Capp that is written on a site', () => {
  it('may have no more replicas and no longer delay than the CappConfig allows', () => {
    const scaleSpec = { minReplicas: 11, maxReplicas: 21, scaleDelaySeconds: 601 };
    expect(refusals({ scaleSpec })).toEqual([
      "spec.scaleSpec.minReplicas: 11 is above 10, the most that the site's CappConfig allows (minReplicasLimit): lower it, or ask whoever runs the site",
      "spec.scaleSpec.maxReplicas: 21 is above 20, the most that the site's CappConfig allows (maxReplicasLimit): lower it, or ask whoever runs the site",
      "spec.scaleSpec.scaleDelaySeconds: 601 is above 600, the most that the site's CappConfig allows (maxScaleDelay): lower it, or ask whoever runs the site",
    ]);
    expect(refusals({ scaleSpec: { minReplicas: 10, maxReplicas: 20, scaleDelaySeconds: 600 } })).toEqual([]);
    expect(refusals({ scaleSpec }, null, facts(null))).toEqual([]);
    expect(refusals({ minReplicas: 11 })).toEqual([
      expect.stringContaining('spec.minReplicas: 11 is above 10, the most'),
    ]);
  });

  it('may be edited elsewhere when a limit has been lowered since', () => {
    const old = { scaleSpec: { minReplicas: 50 } };
    expect(refusals({ ...old, state: 'disabled' }, old)).toEqual([]);
    expect(refusals({ scaleSpec: { minReplicas: 40 } }, old)).toHaveLength(1);
  });

  it.each([
    ['min-scale', '11'],
    ['max-scale', '21'],
    ['max-scale', '0'],
    ['activation-scale', '50'],
    ['scale-down-delay', '20m'],
    ['scale-down-delay', '.9h'],
    ['scale-down-delay', '+59m'],
    ['scale-to-zero-pod-retention-period', '20m'],
    ['scaleToZeroPodRetentionPeriod', '20m0.5s'],
    ['window', '20m'],
  ])('does not pass the limits by the annotation %s: %s of its template', (name, value) => {
    const field = `spec.configurationSpec.template.metadata.annotations[autoscaling.knative.dev/${name}]`;
    expect(refusals(template({ [`autoscaling.knative.dev/${name}`]: value }))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${field.replaceAll(/[[\]./]/g, '\\$&')}: ${value.replace('+', '\\+')} is more than .*: lower it`,
        ),
      ),
    ]);
    expect(refusals(template({ 'autoscaling.knative.dev/min-scale': '10', other: '99' }))).toEqual([]);
  });

  it.each([
    ['app', []],
    ['app.apps.example.com', []],
    ['app.example.com', []],
    ['App!', ['is not a fully qualified domain name']],
    ['app.example.com.evil.org', ['does not allow app.example.com.evil.org.apps.example.com']],
  ])('may have the hostname %s if it is a name that the CappConfig allows', (hostname, expected) => {
    const known = facts({
      ...CONFIG,
      allowedHostnamePatterns: [
        { match: '[a-z]+(\\.apps)?\\.example\\.com', explanation: 'names in example.com' },
      ],
    });
    expect(refusals({ routeSpec: { hostname } }, null, known)).toEqual(
      expected.map((part) => expect.stringContaining(part)),
    );
  });

  it('may not have the cluster’s own domain, and without a zone needs a full name', () => {
    const known = facts(null);
    expect(refusals({ routeSpec: { hostname: 'a.b.svc.cluster.local' } }, null, known)).toEqual([
      expect.stringContaining("the clusters' own domain: use another hostname"),
    ]);
    expect(refusals({ routeSpec: { hostname: 'app' } }, null, known)).toEqual([
      expect.stringContaining('such as app.example.com'),
    ]);
  });

  it('W-17 may not have the name of another Capp, however either spells it, and DNS is not asked', () => {
    const other = {
      metadata: { namespace: 'others', name: 'first' },
      spec: { routeSpec: { hostname: 'app.apps.example.com' } },
    };
    const known = facts(CONFIG, [other]);
    expect(refusals({ routeSpec: { hostname: 'app' } }, null, known)).toEqual([
      expect.stringContaining('"app.apps.example.com" is taken by Capp others/first: use another'),
    ]);
    expect(refusals({ routeSpec: { hostname: 'app2' } }, null, known)).toEqual([]);
  });

  it('gets the default resources and its author, and not the finalizer of hubs', () => {
    const { patches } = judged(PATHS.mutateCapp, raw({}));
    expect(applied(raw({}), patches)).toMatchObject({
      metadata: { annotations: { [LAST_UPDATED_BY]: 'alice' } },
      spec: {
        configurationSpec: {
          template: {
            spec: { containers: [{ resources: { requests: { cpu: '10m' }, limits: { memory: '64Mi' } } }] },
          },
        },
      },
    });
    expect(JSON.stringify(patches)).not.toContain('finalizers');
  });

  it('W-24 gets no default limit below what it requests', () => {
    const known = facts({ defaultResources: { limits: { memory: '200Mi' } } });
    const object = raw(template({}, { resources: { requests: { memory: '512Mi' } } }));
    const { patches, warnings } = judged(PATHS.mutateCapp, object, { known });
    expect(JSON.stringify(applied(object, patches))).not.toContain('200Mi');
    expect(warnings).toEqual([expect.stringContaining('resources.limits.memory gets no default')]);
  });

  it('W-25 may be edited while a Secret that it names is missing', () => {
    const log = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'gone' };
    expect(refusals({ logSpec: log, state: 'disabled' }, { logSpec: log })).toEqual([]);
    expect(refusals({ logSpec: log, ...kafka({ secretRef: { name: 'gone' } }) })).toEqual([]);
  });

  it('is checked whatever stamp it has', () => {
    const object = raw({ scaleSpec: { minReplicas: 11 } }, { annotations: { [ROLLOUT]: 'u/1/h/1' } });
    expect(judged(PATHS.validateCapp, object).problems).toHaveLength(1);
  });

  it('is not looked at while it is being deleted', () => {
    const object = raw(
      { scaleSpec: { minReplicas: 11 } },
      { deletionTimestamp: '2026-11-23T00:00:00Z', finalizers: ['a/b'] },
    );
    for (const path of SITE_PATHS)
      expect(judged(path, object, { before: raw({}) })).toEqual({
        problems: [],
        patches: [],
        warnings: [],
      });
  });

  it('may not be in a namespace of the cluster’s own parts', () => {
    const request = { ...asked(raw({})), namespace: 'platform' };
    expect(applySiteRules(PATHS.validateCapp, request, facts())?.problems).toMatchObject([
      { field: 'metadata.namespace' },
    ]);
  });
});

test('the webhook of a site answers for Capps alone', () => {
  expect(SITE_PATHS).toEqual([PATHS.mutateCapp, PATHS.validateCapp]);
  expect(applySiteRules(PATHS.validateDrain, asked(raw({})), facts())).toBeNull();
});
