// What we ship has licences that we know and may pass on.
import { readdirSync, readFileSync } from 'node:fs';
import { licenceList, lockedPackages, refusals } from '../../../deploy/release/licences.ts';
import { ONLY_IN_CLI, shippedPackages, type LockedPackage } from '../../../deploy/release/shipped.ts';

const ROOT = new URL('../../../', import.meta.url);
const packageOf = (licence: string | null) => ({ name: 'left-pad', version: '1.3.0', licence });

test.each(['MIT', 'Apache-2.0', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0-only)', 'GPL-2.0-only OR 0BSD'])(
  'a package under %s may be shipped',
  (licence) => expect(refusals([packageOf(licence)])).toEqual([]),
);

test.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', '(MIT AND AGPL-3.0-only)', 'SEE LICENSE IN x', 'mit', ''])(
  'a package under "%s" is refused by name, with what to do',
  (licence) =>
    expect(refusals([packageOf(licence)])).toEqual([
      expect.stringMatching(/^left-pad@1\.3\.0 .*Read its licence, and name the package in/),
    ]),
);

test('a package that declares no licence is refused', () => {
  expect(refusals([packageOf(null)])).toEqual([expect.stringContaining('declares no licence')]);
});

test('what a person has read counts for one version only', () => {
  const read = { name: 'unionfs', licence: null };
  expect(refusals([{ ...read, version: '4.6.0' }])).toEqual([]);
  expect(refusals([{ ...read, version: '4.6.1' }])).toHaveLength(1);
});

test('nothing that we ship now is refused, and each package is listed with its licence', () => {
  const packages = lockedPackages();
  expect(packages.length).toBeGreaterThan(100);
  expect(refusals(packages)).toEqual([]);
  const lines = licenceList(packages).trimEnd().split('\n');
  expect(lines).toHaveLength(packages.length);
  expect(lines.filter((line) => !/^\S+@\d\S*\t\S.*$/.test(line) || line.endsWith('unknown'))).toEqual([]);
});

describe('what is shipped', () => {
  const packages: Record<string, LockedPackage> = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': {
      version: '1.0.0',
      license: 'MIT',
      dependencies: { b: '2' },
      peerDependencies: { d: '1' },
    },
    'node_modules/b': { version: '1.0.0', license: 'GPL-3.0-only' },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC', dependencies: { c: '1' } },
    'node_modules/c': { version: '1.0.0', license: 'MIT', dependencies: { a: '1' } },
    'node_modules/only-for-tests': { version: '1.0.0' },
  };

  it('is what our dependencies need, each in the version that Node finds, and nothing that only tests use', () => {
    const names = shippedPackages({ packages }).map(({ name, version }) => `${name}@${version}`);
    expect(names).toEqual(['a@1.0.0', 'b@2.0.0', 'c@1.0.0']);
  });

  it('has every package that the program for people is bundled from', () => {
    const sources = readdirSync(new URL('cli/', ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('build/'))
      .map((file) => readFileSync(new URL(`cli/${file}`, ROOT), 'utf8'));
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/^import [^;]*?from '((?:@[\w-]+\/)?[\w-]+)['/]/gm)].map(([, name = '']) => name),
    );
    const { dependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(new Set(imported.filter((name) => dependencies[name] === undefined))).toEqual(
      new Set(ONLY_IN_CLI),
    );
  });
});
