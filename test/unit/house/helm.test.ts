// The chart agrees with the CRDs, the settings of the processes, and its own list of values. Does not need
// helm.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { PATHS, SITE_PATHS } from '../../../admission/router.ts';
import {
  ALLOW_DETACH,
  CAPP_KEY,
  FORCE,
  LAST_UPDATED_BY,
  MIGRATE,
  PRIORITY,
  REQUESTS,
  requestedBy,
  ROLLBACK,
} from '../../../crds/labels.ts';
import { AGGREGATE_TO_WORK, DELETION_ORPHAN } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { carried, embedded } from '../../../deploy/helm/embed.ts';
import { CONFIGURATION_NAME } from '../../../tls/webhook-authorities.ts';
import { WEBHOOK_CERTIFICATE } from '../../../tls/webhook-authorities.ts';

const ROOT = new URL('../../../', import.meta.url);
const CHART = new URL('deploy/helm/', ROOT);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

const read = (file: string, folder = CHART): string => readFileSync(new URL(file, folder), 'utf8');
const templates = readdirSync(new URL('templates/', CHART)).map(
  (file) => [file, read(`templates/${file}`)] as const,
);
const text = templates.map(([, template]) => template).join('\n');
const values = parse(read('values.yaml')) as object;
const schema = JSON.parse(read('values.schema.json')) as Schema;

/** The paths of all values. An object without properties in the schema counts as one value. */
function valuePaths(value: object, { properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const known = properties[name];
    if (known?.properties === undefined) return [`${prefix}${name}`];
    return valuePaths(inner as object, known, `${prefix}${name}.`);
  });
}

function schemaPaths({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${prefix}${name}`] : schemaPaths(inner, `${prefix}${name}.`),
  );
}

describe('the CRDs in the chart', () => {
  it('are those of crds/yaml', () => {
    expect(Object.fromEntries(carried())).toEqual(Object.fromEntries(embedded()));
  });

  it.each([...embedded()])('%s is kept when the release or the add-on is removed', (_, definition) => {
    const { metadata } = parse(definition) as { metadata: { annotations: Record<string, string> } };
    expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep', [DELETION_ORPHAN]: '' });
  });
});

describe('the values of the chart', () => {
  const paths = valuePaths(values, schema);

  it('are exactly those that the schema knows', () => {
    expect(
      schemaPaths(schema)
        .filter((path) => path !== 'global')
        .toSorted(),
    ).toEqual(paths.toSorted());
  });

  it.each(paths)('%s is in the table of the README', (path) => {
    const rows = read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.some((row) => row.split('|')[1]?.includes(`\`${path}\``))).toBe(true);
  });

  it('are all used', () => {
    const names = paths.map((path) => path.split('.').at(-1) ?? '');
    expect(names.filter((name) => !text.includes(`.${name}`))).toEqual([]);
  });
});

describe('the templates', () => {
  const files = readdirSync(new URL('workers/', ROOT), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const workers = files.map((file) => [`workers/${file}`, read(`workers/${file}`, ROOT)] as const);

  it('start only processes that exist', () => {
    const named = [...text.matchAll(/"(workers\/[\w/-]+\.js)"/g)].map(([, main = '']) => main);
    expect(named.toSorted()).toEqual([
      'workers/agent/main.js',
      'workers/bridge/main.js',
      'workers/gateway/main.js',
      'workers/hub/main.js',
      'workers/notifier/main.js',
      'workers/reader/main.js',
      'workers/registrar/main.js',
      'workers/site/main.js',
      'workers/webhook/main.js',
    ]);
    expect(named.filter((main) => !workers.some(([file]) => file === main.replace('.js', '.ts')))).toEqual(
      [],
    );
  });

  it('set only variables that a process reads', () => {
    const set = [...text.matchAll(/(?:\bname: |")([A-Z]+_[A-Z_]+)\b/g)].map(([, name = '']) => name);
    const settings = workers.map(([, source]) => source).join('\n');
    expect(set.length).toBeGreaterThan(6);
    const ours = set.filter((name) => !name.startsWith('MALLOC_'));
    expect(ours.filter((name) => !new RegExp(String.raw`^  ${name}:`, 'm').test(settings))).toEqual([]);
  });

  it('use the same names as the code', () => {
    for (const name of [AGGREGATE_TO_WORK, DELETION_ORPHAN, CAPP_KEY.split('/')[0] ?? '']) {
      expect(text).toContain(name);
    }
    expect(values).toMatchObject({ config: RCS_CONFIG_KEY });
  });

  it('register the webhook’s paths, and the annotations that its rules read', () => {
    const webhook = read('templates/webhook.yaml');
    const ofSite = read('templates/site-webhook.yaml');
    const asked = (template: string): string[] =>
      [...template.matchAll(/"path" "([^"]+)"/g)].map(([, path = '']) => path).toSorted();
    // Of what is being deleted some are asked apart.
    expect([...new Set(asked(webhook))]).toEqual(Object.values(PATHS).toSorted());
    expect(asked(ofSite)).toEqual(SITE_PATHS.toSorted());
    for (const annotation of [LAST_UPDATED_BY, ROLLBACK])
      expect(ofSite).toContain(`"${annotation.slice('rcs.dana.io/'.length)}"`);
    for (const annotation of [MIGRATE, FORCE, PRIORITY, ALLOW_DETACH])
      expect(webhook).toContain(`annotations[?"${annotation}"]`);
    for (const annotation of [LAST_UPDATED_BY, ...REQUESTS, ...REQUESTS.map(requestedBy)])
      expect(webhook).toContain(`"${annotation.slice('rcs.dana.io/'.length)}"`);
    for (const template of [webhook, ofSite, read('templates/_webhook.tpl')])
      expect(template).toContain(`{{- $name := "${CONFIGURATION_NAME}" }}`);
    expect(text).toContain(`resourceNames: [${WEBHOOK_CERTIFICATE}]`);
  });

  it('keep the site operator’s objects on the site when the add-on is removed, but not the agent’s', () => {
    const template = read('templates/addon-template.yaml');
    const manifests = template.split(/^ {8}(?=- apiVersion)/m);
    const carry = (name: string): boolean[] =>
      manifests
        .filter((manifest) => manifest.includes(`name: ${name}\n`))
        .map((manifest) => manifest.includes('toYaml $orphan'));
    expect(template).toMatch(/"cappstan.siteOperator" [^\n]*"annotations" \$orphan/);
    expect(carry('cappstan-work-agent')).toEqual([true]);
    expect(carry('{{ $agent }}')).toEqual([false, false, false]);
  });
});

it('the chart has the version of the package', () => {
  const { version } = JSON.parse(read('package.json', ROOT)) as { version: string };
  const chart = parse(read('Chart.yaml')) as { version: string; appVersion: string };
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});
