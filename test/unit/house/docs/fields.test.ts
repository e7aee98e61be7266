// Each kind has a page with every field of its spec, and every reason that it gives; a newcomer finds it from
// the README.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { BUNDLE_REASONS } from '../../../../crds/bundle/status.ts';
import { SITE_DETAILS, SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import { AGENT_CLAIMS } from '../../../../crds/ocm/cluster-claim.ts';
import { NOTIFICATION_REASONS, TOPICS } from '../../../../crds/notify/notification.ts';
import { HOLD_REASONS } from '../../../../crds/rollout/stages.ts';
import { SET_REASONS, SET_SITE_REASONS } from '../../../../crds/set/status.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

function fieldsOf(plural: string): string[] {
  const { spec } = parse(read(`crds/yaml/${plural}.yaml`)) as Definition;
  return Object.keys(spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties ?? {});
}

const PAGES = [
  ['Capp', 'capps', 'docs/run.md'],
  ['CappSet', 'cappsets', 'docs/sets.md'],
  ['Bundle', 'bundles', 'docs/bundles.md'],
  ['Drain', 'drains', 'docs/drain.md'],
  ['RCSConfig', 'rcsconfigs', 'docs/settings.md'],
  ['CappConfig', 'cappconfigs', 'docs/settings.md'],
  ['Notification', 'notifications', 'docs/notifications.md'],
] as const;

/** Older names that a Capp may still have. */
const FORMER: ReadonlySet<string> = new Set(['minReplicas', 'sources']);

test.each(PAGES)('the README leads to the page of %s', (kind, _plural, page) => {
  expect(read('README.md')).toMatch(new RegExp(String.raw`^\| \[${kind}\]\(${page}[#)]`, 'm'));
});

test.each(PAGES)('the page of %s has each field of its spec in a table', (_kind, plural, page) => {
  const tables = read(page)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ')[0]);
  const fields = fieldsOf(plural).filter((field) => !FORMER.has(field));
  expect(fields.length).toBeGreaterThan(1);
  const isNamed = (field: string): boolean =>
    tables.some((names) => new RegExp(String.raw`\x60${field}[\x60.]`).test(names ?? ''));
  expect(fields.filter((field) => !isNamed(field))).toEqual([]);
});

/** Reasons that need no remedy, and those on the page about stages. */
const FINE: ReadonlySet<string> = new Set([
  ...HOLD_REASONS,
  'Done',
  'SitesReady',
  'Ready',
  'Progressing',
  // Of a site: what is as it was asked for, and what is only on its way.
  'Deploying',
  'RevisionServes',
  'NothingServes',
  'Bound',
  'Mapped',
  'Provided',
  'Collected',
  'SourcesReady',
  'RecordSynced',
]);

test.each([
  ['docs/sets.md', [...SET_REASONS, ...SET_SITE_REASONS]],
  ['docs/bundles.md', BUNDLE_REASONS],
  ['docs/recover.md', SITE_REASONS],
  ['docs/notifications.md', [...NOTIFICATION_REASONS, ...TOPICS]],
] as const)('%s says what helps for each reason', (file, reasons) => {
  const page = read(file);
  const missing = reasons.filter((reason) => !new RegExp(String.raw`[\x60/]${reason}\x60`).test(page));
  expect(missing.filter((reason) => !FINE.has(reason))).toEqual([]);
});

test('the page about running a Capp explains each condition that a site adds', () => {
  const page = read('docs/run.md');
  expect([...SITE_DETAILS, 'RecordReady'].filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
});

test('the page about facts has each claim that an agent publishes', () => {
  const page = read('docs/facts.md');
  expect(AGENT_CLAIMS.filter((claim) => !page.includes(`\`${claim}\``))).toEqual([]);
});
