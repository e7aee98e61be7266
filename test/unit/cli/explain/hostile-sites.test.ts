// A site that writes what it likes ends no command for the others, and steers no terminal: endless names,
// very many objects, and control characters, in tables, trees, JSON and YAML.
import { parse } from 'yaml';
import { treeOfBundle } from '../../../../cli/explain/tree/fleet.ts';
import { keptWork } from '../../../../cli/hub/objects/kept-work.ts';
import { jsonOf, yamlOf } from '../../../../cli/show/output.ts';
import { treeText } from '../../../../cli/show/tree.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const NAME = 'bundle-apps-base';
const ENDLESS = 'x'.repeat(100_000);

const workOf = (site: string, manifests: readonly unknown[], conditions: readonly unknown[] = []) =>
  ({
    metadata: { namespace: site, name: NAME },
    spec: { workload: { manifests: [{ kind: 'Secret', data: { key: 'canary' } }] } },
    status: { conditions, resourceStatus: { manifests } },
  }) as unknown as Parameters<typeof keptWork>[0];

const bundle = { metadata: { namespace: 'apps', name: 'base' }, spec: {} } as unknown as Bundle;
const drawn = (works: readonly ManifestWork[]): string =>
  treeText(treeOfBundle(bundle, works), { isWide: true, colours: NO_COLOURS });

const bad = { type: 'Applied', status: 'False', reason: ENDLESS };

test('one site’s endless names and reasons widen no line of the others by more than a few hundred characters', () => {
  const liar = workOf(
    'site-0',
    [{ resourceMeta: { kind: ENDLESS, name: ENDLESS }, conditions: [bad] }],
    [bad],
  );
  const others = Array.from({ length: 1_000 }, (_, at) => workOf(`site-${at + 1}`, []));
  const lines = drawn([liar, ...others].map(keptWork)).split('\n');
  expect(lines).toHaveLength(1_003);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000);
});

test('of very many objects those that a Bundle can have are kept, and of what a work carries nothing', () => {
  const kept = keptWork(
    workOf(
      'site-0',
      Array.from({ length: 70_000 }, () => ({})),
    ),
  );
  expect(kept.status?.resourceStatus?.manifests).toHaveLength(250);
  expect(JSON.stringify(kept)).not.toContain('canary');
  expect(drawn([kept]).split('\n')).toHaveLength(252);
});

test('a tree of more lines than a call takes arguments is drawn', () => {
  const branches = Array.from({ length: 200_000 }, () => LEAF);
  expect(treeText({ ...LEAF, branches }, { isWide: true, colours: NO_COLOURS }).split('\n')).toHaveLength(
    200_001,
  );
});

const LEAF = { kind: 'Capp', name: 'a', on: 'b', tone: 'good', says: '', branches: [] } as const;

/** Nothing that a terminal takes for anything but text. */
const TEXT = /^(?:\n|[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}])*$/u;
const STEERS = {
  clears: '\u001b[2J\u009b2J',
  lines: 'first\n\u009bsecond\nthird\u0007',
  turns: 'abc\u202edcba\u2066',
  deletes: ['\u007f', '\u0085', '\u2028'],
  plain: 'ä – 漢',
};

test.each<readonly [string, string, (text: string) => unknown]>([
  ['JSON', jsonOf(STEERS), (text) => JSON.parse(text) as unknown],
  ['JSON of one line', jsonOf(STEERS, 0), (text) => JSON.parse(text) as unknown],
  ['YAML', yamlOf(STEERS), (text) => parse(text) as unknown],
])('what a site wrote steers no terminal as %s, and is read as it was', (_form, text, read) => {
  expect(text).toMatch(TEXT);
  expect(read(text)).toEqual(STEERS);
  expect(text).toContain('ä – 漢');
});
