// What admission does with a Bundle that has something secret, where Secrets may go to sites only sealed.
import { PATHS } from '../../../admission/router.ts';
import { aBundle, aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { asked, configured, judged, KNOWN, known, said } from '../../support/builders/admission.ts';

const place = { namespace: 'apps', name: 'base' };
const secret = (name: string, value = 'canary') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'apps', name },
  stringData: { password: value },
});
const SEALING = configured({ secrets: { sealing: 'Required' } });
const LISTED = configured({ secrets: { sealing: 'Required', unsealedBundles: ['apps'] } });
const opinion = (spec: object, facts = SEALING, before: object | null = null) =>
  judged(PATHS.validateBundle, asked(aBundle(spec), before === null ? null : aBundle(before), place), facts);
const problems = (...all: Parameters<typeof opinion>) => said(opinion(...all).problems);
const WHY =
  'A ManifestWork would hold its values as they are, and the RCSConfig asks that Secrets go to sites only sealed (spec.secrets.sealing), which those of Bundles cannot be. Have a Capp refer to the Secret, or ship an ExternalSecret in its place; or have an operator of the hub list apps in spec.secrets.unsealedBundles of RCSConfig rcs-deployer-system/rcs-config.';

test('a Secret in a Bundle, and one that it reads, are refused with the place and the remedy, and without a value', () => {
  const spec = {
    manifests: [aConfigMap(), secret('db')],
    manifestsFrom: [{ configMap: 'a' }, { secret: 'b' }],
  };
  expect(problems(spec)).toEqual([
    `spec.manifests[1]: is Secret apps/db. ${WHY}`,
    `spec.manifestsFrom[1]: names Secret b, where a ConfigMap would do for what is not secret. ${WHY}`,
  ]);
  expect(JSON.stringify(opinion(spec))).not.toContain('canary');
});

test.each([
  ['asks for no sealing', KNOWN],
  ['lists the namespace', LISTED],
  ['does not exist', known({ config: null })],
])('a Secret is accepted while the RCSConfig %s', (_what, facts) => {
  const spec = { manifests: [secret('db')], manifestsFrom: [{ secret: 'b' }] };
  expect(opinion(spec, facts)).toMatchObject({ problems: [], warnings: [] });
});

test('a Bundle that has a Secret already may be edited otherwise, and is warned that it is not sent', () => {
  const before = { manifests: [secret('db'), aConfigMap()], manifestsFrom: [{ secret: 'b' }] };
  const moved = { ...before, manifests: [aConfigMap({ color: 'blue' }), secret('db')] };
  const { problems: found, warnings } = opinion(moved, SEALING, before);
  expect(found).toEqual([]);
  expect(warnings).toEqual([`Nothing of this Bundle is sent: spec.manifests[1] is Secret apps/db. ${WHY}`]);
  expect(opinion({ ...moved, onRemoval: 'Orphan' }, LISTED, before).warnings).toEqual([]);
});

test('another value of a Secret, and a further Secret, are refused also where one was before', () => {
  const before = { manifests: [secret('db')] };
  expect(problems({ manifests: [secret('db', 'other')] }, SEALING, before)).toEqual([
    expect.stringContaining('spec.manifests[0]: is Secret apps/db.'),
  ]);
  expect(problems({ manifests: [secret('db'), secret('more')] }, SEALING, before)).toEqual([
    expect.stringContaining('spec.manifests[1]: is Secret apps/more.'),
  ]);
});

test('of many Secrets five are named', () => {
  const manifests = Array.from({ length: 250 }, (_, index) => secret(`db-${index}`));
  expect(problems({ manifests })).toHaveLength(5);
});

test('what changes no field of the spec passes, such as the end of a deletion', () => {
  const held = { manifests: [secret('db')] };
  expect(opinion(held, SEALING, held)).toMatchObject({ problems: [], warnings: [] });
});
