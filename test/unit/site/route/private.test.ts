// A Capp that its author has made private is private: on the site, in DNS, and in what is said of it.
import { asksForRecord } from '../../../../activities/hub/dns/render.ts';
import { PATHS } from '../../../../admission/router.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { normalise } from '../../../../crds/capp/normalise.ts';
import { certificateReady } from '../../../../site/route/certificate-ready.ts';
import { routeNameOf } from '../../../../site/route/name.ts';
import { routeReady } from '../../../../site/route/status.ts';
import { DEFAULT_AUTOSCALE } from '../../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { asked, judged, KNOWN, said } from '../../../support/builders/admission.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';

const MARK = 'networking.knative.dev/visibility';
const local = (value = 'cluster-local') => ({ [MARK]: value });
const spec = { routeSpec: { hostname: 'app.example.com', tlsEnabled: true } };

const made = (metadata: object, template: Record<string, unknown> = {}): Capp => {
  const { capp } = normalise(aCapp({ spec }));
  const { configurationSpec } = capp.spec;
  const templated = { template: { ...configurationSpec.template, metadata: template } };
  return {
    ...capp,
    metadata: { ...capp.metadata, ...metadata },
    spec: { ...capp.spec, configurationSpec: templated },
  };
};

const PRIVATE: readonly (readonly [string, Capp])[] = [
  ['a label', made({ labels: local() })],
  ['an annotation', made({ annotations: local() })],
  ['a label of the template', made({}, { labels: local() })],
  ['an annotation of the template', made({}, { annotations: local() })],
];

it.each(PRIVATE)(
  'by %s its Service is private, and neither hostname, certificate nor record leads to it',
  (_, capp) => {
    const service = knativeService(capp, DEFAULT_AUTOSCALE);
    expect(service?.metadata.labels?.[MARK]).toBe('cluster-local');
    // Knative refuses it there.
    expect(service?.spec?.template?.metadata?.annotations).not.toHaveProperty([MARK]);
    expect(routeNameOf(capp, 'example.com.')).toBeNull();
    expect(routeReady(capp, SEEN_NOTHING.route)).toMatchObject({ status: 'False', reason: 'Private' });
    expect(certificateReady(capp, SEEN_NOTHING.route)).toBeNull();
    expect(asksForRecord(capp, { zone: 'example.com.' } as never)).toBe(false);
  },
);

it('without it the Service has no such label, and the hostname leads to it', () => {
  const capp = made({});
  expect(knativeService(capp, DEFAULT_AUTOSCALE)?.metadata.labels).not.toHaveProperty([MARK]);
  expect(routeNameOf(capp, null)).toBe('app.example.com');
  expect(asksForRecord(capp, { zone: 'example.com.' } as never)).toBe(true);
});

it('its author is warned when it is written that the hostname leads nowhere', () => {
  const { warnings } = judged(PATHS.validateCapp, asked(made({ labels: local() })), KNOWN);
  expect(warnings).toEqual([expect.stringContaining('spec.routeSpec.hostname has no effect')]);
});

it('a visibility that Knative does not know is refused by name', () => {
  const { problems } = judged(PATHS.validateCapp, asked(made({ labels: local('private') })), KNOWN);
  expect(said(problems)).toEqual([
    expect.stringContaining(`metadata.labels[${MARK}]: Knative knows only cluster-local`),
  ]);
});

describe('a CappSet is asked about it as each of its Capps would be', () => {
  const set = (metadata: object, template: Record<string, unknown> = {}, overrides: object[] = []) => ({
    metadata: { name: 'edge', namespace: 'apps' },
    spec: {
      sites: { clusters: ['site-1'] },
      template: { metadata, spec: made({}, template).spec },
      overrides,
    },
  });
  const told = (object: object, before: object | null = null) =>
    judged(PATHS.validateCappSet, asked(object, before, { name: 'edge' }), KNOWN);

  it.each([
    ['a label', set({ labels: local('private') }), `metadata.labels[${MARK}]`],
    ['an annotation', set({ annotations: local('private') }), `metadata.annotations[${MARK}]`],
    [
      'a label of the template of its Capps',
      set({}, { labels: local('private') }),
      `spec.configurationSpec.template.metadata.labels[${MARK}]`,
    ],
    [
      'an override',
      set({}, {}, [{ clusterSelector: {}, patch: { metadata: { labels: local('private') } } }]),
      `metadata.labels[${MARK}]`,
    ],
  ])('a visibility that Knative does not know is refused by name: %s', (_, object, field) => {
    const { problems } = told(object);
    expect(said(problems)).toEqual([
      expect.stringContaining(`spec.template.${field}: on site-1, Knative knows only cluster-local`),
    ]);
    expect(told({ ...object, spec: { ...object.spec, paused: true } }, object).problems).toEqual([]);
  });

  it('its author is warned once that the hostname leads nowhere', () => {
    const { problems, warnings } = told(set({ labels: local() }));
    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('On site-1, spec.routeSpec.hostname has no effect')]);
  });
});
