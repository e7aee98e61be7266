// What `make release` is asked for, and what becomes of values, list of packages and image settings.
import { readFileSync } from 'node:fs';
import { plainFor, withImage } from '../../../deploy/release/chart.ts';
import { CONFIG, ENV, PLATFORMS } from '../../../deploy/release/image.ts';
import { orderFrom } from '../../../deploy/release/order.ts';
import { normalised } from '../../../deploy/release/sbom.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const DIGEST = `sha256:${'a'.repeat(64)}`;
const BASE = `gcr.io/distroless/nodejs24-debian12:nonroot@${DIGEST}`;

test.each(['registry.example/team', 'registry.example:5000/team/apps', '127.0.0.1:5000', 'localhost:5000/x'])(
  'REGISTRY=%s is a place',
  (registry) => expect(orderFrom({ REGISTRY: registry, BASE })).toEqual({ registry, base: BASE }),
);

test.each([
  undefined,
  '',
  'https://registry.example/team',
  'registry.example/',
  'registry.example/Team',
  'a b',
  '--flag',
])('REGISTRY=%s is refused, with an example', (registry) =>
  expect(() => orderFrom({ REGISTRY: registry, BASE })).toThrow(/REGISTRY=.*such as registry\.example\/team/),
);

test.each([undefined, 'node:24', `node@${DIGEST.slice(0, -1)}`, `node@${DIGEST}b`, `two words@${DIGEST}`])(
  'BASE=%s is refused: a tag may become another image before the next try',
  (base) =>
    expect(() => orderFrom({ REGISTRY: 'registry.example', BASE: base })).toThrow(/BASE=.*with its digest/),
);

test('the values of the chart name the image that was pushed, and nothing else in them changes', () => {
  const values = read('deploy/helm/values.yaml');
  const changed = withImage(values, { repository: 'registry.example/cappstan', digest: DIGEST });
  const [before, after] = [values.split('\n'), changed.split('\n')];
  expect(after.filter((line, index) => line !== before[index])).toEqual([
    '  repository: registry.example/cappstan',
    `  digest: ${DIGEST}`,
  ]);
});

test('values in which the image is named otherwise are refused, so that no chart is released without its digest', () => {
  expect(() => withImage('image:\n  repository: other\n', { repository: 'a', digest: DIGEST })).toThrow(
    /has no line/,
  );
});

test('only a registry on this machine is spoken to without TLS', () => {
  const plain = [
    '127.0.0.1:5000/x',
    'localhost:5000/x',
    'registry.example/x',
    'localhost.example/x',
    '127.example/x',
  ];
  expect(plain.filter((registry) => plainFor(registry).length > 0)).toEqual([
    '127.0.0.1:5000/x',
    'localhost:5000/x',
  ]);
});

test('the list of packages has nothing that differs each time', () => {
  const printed = (serialNumber: string, timestamp: string, name: string): string =>
    JSON.stringify({
      serialNumber,
      metadata: { timestamp, component: { name } },
      components: [{ name: 'pino' }],
    });
  const one = normalised(printed('urn:uuid:1', '2026-01-01T00:00:00Z', 'app'), 60);
  expect(one).toBe(normalised(printed('urn:uuid:2', '2027-01-01T00:00:00Z', 'x'), 60));
  expect(JSON.parse(one)).toMatchObject({
    metadata: { timestamp: '1970-01-01T00:01:00.000Z', component: { name: 'cappstan' } },
    components: [{ name: 'pino' }],
  });
});

test('a list without packages is refused', () => {
  expect(() => normalised('{"components":[]}', 1)).toThrow(/lists no package/);
});

test('the image has the settings of the Dockerfile', () => {
  const recipe = read('deploy/images/Dockerfile');
  const last = recipe.split(/^FROM /m).at(-1) ?? '';
  expect(last).toContain(`\nUSER ${CONFIG.user}\n`);
  expect(last).toContain(`\nWORKDIR ${CONFIG.workdir}\n`);
  expect(last).toContain(`\nENTRYPOINT ["${CONFIG.entrypoint}"]\n`);
  expect(last).toContain(`\nCMD ["${CONFIG.cmd}"]`);
  const env = Object.entries(ENV).map(([name, value]) => `${name}=${value}`);
  expect(last).toContain(`\nENV ${env.join(' ')}\n`);
});

test('Temporal’s library is there for each platform', () => {
  const { version } = JSON.parse(read('node_modules/@temporalio/core-bridge/package.json')) as {
    version: string;
  };
  for (const library of Object.values(PLATFORMS))
    expect([
      version,
      read(`node_modules/@temporalio/core-bridge/releases/${library}/index.node`).slice(1, 4),
    ]).toEqual([version, 'ELF']);
});
