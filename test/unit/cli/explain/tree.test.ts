// `kubectl capp tree`: what it knows of sets and Bundles, and how it is drawn.
import { treeOfBundle, treeOfSet } from '../../../../cli/explain/tree/fleet.ts';
import type { Branch } from '../../../../cli/explain/tree/branch.ts';
import { treeText } from '../../../../cli/show/tree.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import { aCondition, ready } from '../../../support/builders/facts.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const drawn = (root: Branch, isWide = false): string[] =>
  treeText(root, { isWide, colours: NO_COLOURS }).split('\n');

const set = {
  metadata: { namespace: 'apps', name: 'shop', uid: 'u' },
  spec: {},
  status: {
    readySites: '1/2',
    rollout: { revision: 'a'.repeat(32) },
    failing: [{ site: 'b', capp: 'shop-b', reason: 'NameTaken', message: 'Somebody has it.' }],
    conditions: [
      aCondition('Ready', 'False', 'NameTaken'),
      aCondition('Progressing', 'False', 'FailedSites'),
    ],
  },
} as unknown as CappSet;

test('a set leads to its Capps, and to those that could not be made', () => {
  expect(drawn(treeOfSet(set, [ready('shop-a', 'a')]))).toEqual(
    [
      'CappSet apps/shop                               hub   revision aaaaaaaaaa, 1/2 sites Ready, FailedSites',
      '├─ Capp apps/shop-a                             hub   generation 1, Ready',
      '│  └─ ManifestWork mw-create-apps-shop-a        hub   Applied',
      '│     └─ Capp apps/shop-a                       a     Available',
      '└─ Capp apps/shop-b                             b     NameTaken',
    ].map((line) =>
      expect.stringMatching(new RegExp(`^${line.replaceAll(/ {2,}/g, ' +').replaceAll('/', '\\/')}$`)),
    ),
  );
});

test('of many branches those that are well are counted, unless all are asked for', () => {
  const many = Array.from({ length: 30 }, (_, at) => ready(`shop-${at}`, `s${at}`));
  const root = treeOfSet(set, many);
  const short = drawn(root);
  expect(short.slice(1)).toEqual([
    expect.stringMatching(/^├─ Capp apps\/shop-b /),
    expect.stringMatching(/^└─ and 30 more: -o wide shows them$/),
  ]);
  expect(drawn(root, true)).toHaveLength(1 + 30 * 3 + 1);
});

const bundle = {
  metadata: { namespace: 'platform', name: 'base' },
  spec: { sites: { clusters: ['a', 'b'] } },
  status: {
    rollout: { revision: '1234567890ab' },
    revisions: [{ revision: '1234567890ab', number: 2 }],
    failing: [
      {
        cluster: 'b',
        kind: 'Deployment',
        namespace: 'web',
        name: 'door',
        condition: 'Applied',
        reason: 'NotAllowed',
        message: 'forbidden',
      },
    ],
    conditions: [aCondition('Ready', 'False', 'NotAllowed')],
  },
} as unknown as Bundle;

test('a Bundle leads to what its works say of each object', () => {
  const applied = { type: 'Applied', status: 'True', reason: 'AppliedManifestComplete' } as const;
  const work = (namespace: string, more: object): ManifestWork => ({
    metadata: { namespace, name: 'bundle-platform.base', ...more },
    status: {
      conditions: [applied, { type: 'Available', status: 'False', reason: 'ResourcesNotAvailable' }],
      resourceStatus: {
        manifests: [
          {
            resourceMeta: { kind: 'Deployment', namespace: 'web', name: 'door' },
            conditions: [{ ...applied, status: 'False', reason: 'AppliedManifestFailed' }],
          },
          { resourceMeta: { kind: 'Namespace', name: 'web' }, conditions: [applied] },
        ],
      },
    },
  });
  const works = [work('b', { deletionTimestamp: '2026-01-01T00:00:00Z' }), work('a', {})];
  const { branches } = treeOfBundle(bundle, works);
  expect(branches.map(({ name, tone, says }) => [name, tone, says])).toEqual([
    ['a/bundle-platform.base', 'bad', 'Available=False, ResourcesNotAvailable'],
    ['b/bundle-platform.base', 'busy', 'is being removed'],
  ]);
  expect(branches[0]?.branches).toMatchObject([
    {
      kind: 'Deployment',
      name: 'web/door',
      on: 'a',
      tone: 'bad',
      says: 'Applied=False, AppliedManifestFailed',
    },
    { kind: 'Namespace', name: 'web', on: 'a', tone: 'good', says: 'Applied' },
  ]);
});

test('who may not read works sees the sites that the status names, and what fails there', () => {
  expect(treeOfBundle(bundle, null).branches).toMatchObject([
    { name: 'a/bundle-platform.base', tone: 'good', branches: [] },
    {
      name: 'b/bundle-platform.base',
      tone: 'bad',
      branches: [{ kind: 'Deployment', name: 'web/door', on: 'b', says: 'NotAllowed' }],
    },
  ]);
});

test('what a site wrote stays text, and in its line', () => {
  const evil = {
    kind: 'Revision',
    name: 'a\n\u001b[31mb',
    on: 's',
    tone: 'good',
    says: 'x\u202ey',
    branches: [],
  } as const;
  expect(drawn(evil)).toEqual(['Revision a [31mb   s   x y']);
});
