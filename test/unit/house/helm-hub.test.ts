// The chart of a hub agrees with its own list of values, with what `cappstan hub` reads, and with the names
// that multicluster-controlplane's users know. Does not need helm.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { FIELDS } from '../../../deploy/hub/config/fields.ts';

const CHART = new URL('../../../deploy/helm-hub/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, CHART), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

const values = parse(read('values.yaml')) as object;
const schema = JSON.parse(read('values.schema.json')) as Schema;
const templates = readdirSync(new URL('templates/', CHART)).map((file) => read(`templates/${file}`));

function schemaPaths({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${prefix}${name}`] : schemaPaths(inner, `${prefix}${name}.`),
  );
}

function valuePaths(value: object, { properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const known = properties[name];
    return known?.properties === undefined
      ? [`${prefix}${name}`]
      : valuePaths(inner as object, known, `${prefix}${name}.`);
  });
}

function open({ properties, additionalProperties }: Schema, path = ''): string[] {
  if (properties === undefined) return [];
  const inner = Object.entries(properties).flatMap(([name, one]) => open(one, `${path}/${name}`));
  return additionalProperties === false ? inner : [path, ...inner];
}

const paths = schemaPaths(schema).filter((path) => path !== 'global');

test('its values are exactly those of the schema, which refuses all others', () => {
  expect(valuePaths(values, schema).toSorted()).toEqual(paths.toSorted());
  expect(open(schema)).toEqual([]);
});

test.each(paths)('%s is in the table of the README, and is used', (path) => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows.some((row) => row.split('|')[1]?.includes(`\`${path}\``))).toBe(true);
  expect(templates.join('\n')).toContain(path.split('.').at(-1));
});

test.each([
  'apiserver.ca',
  'apiserver.cakey',
  'etcd.ca',
  'etcd.cert',
  'etcd.certkey',
  'etcd.mode',
  'etcd.servers',
  'loadbalancer.enabled',
  'nodeport.enabled',
  'nodeport.port',
  'route.enabled',
  'enableSelfManagement',
  'enableDelegatingAuthentication',
])('the seed’s value %s is there', (path) => {
  expect(paths).toContain(path);
});

test('what it writes into the hub’s settings is what a hub reads', () => {
  const [, config = ''] = /define "hub\.config" -\}\}([\s\S]*)/.exec(read('templates/_parts.tpl')) ?? [];
  const written: string[] = [];
  let section = '';
  for (const line of config.split('\n')) {
    const [, indent = '', name = ''] = /^( *)(\w+):/.exec(line) ?? [];
    if (name === '') continue;
    if (indent === '' && line.endsWith(':')) section = `${name}.`;
    else written.push(indent === '' ? name : `${section}${name}`);
  }
  expect(written.length).toBeGreaterThan(15);
  const known = new Set(FIELDS.map(({ path }) => path));
  expect(written.filter((path) => !known.has(path))).toEqual([]);
});

test('it gives the volume a group unless the cluster does, as OpenShift says by its API and not by a route', () => {
  expect(read('templates/hub.yaml')).toMatch(
    /{{- if not \(\.Capabilities\.APIVersions\.Has "security\.openshift\.io\/v1"\) }}\n +#.+\n +fsGroup: 65532\n +{{- end }}/,
  );
});

test('its image is the archive of make hub on a base that is named by digest, and its user is not root', () => {
  const recipe = readFileSync(new URL('../images/Dockerfile.hub', CHART), 'utf8');
  expect(recipe).toMatch(/^ARG BASE_DIGEST$/m);
  expect(recipe).toMatch(/^ARG BASE_IMAGE=\S+@\$\{BASE_DIGEST\}$/m);
  expect(recipe).toMatch(/^COPY \. \/opt\/cappstan$/m);
  expect(recipe).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(recipe).not.toMatch(/^RUN /m);
});
