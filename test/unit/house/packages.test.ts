// No package of npm runs a script of its own on our machines, in CI or in the image.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: fileURLToPath(ROOT),
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /(?:^|\/)(?:Makefile|Dockerfile|run)$|\.(?:ts|md|sh|ya?ml)$/.test(file))
  .filter((file) => !file.startsWith('test/unit/house/') && !file.startsWith('docs/decisions/'));

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages;

test('every command that installs packages leaves their scripts out', () => {
  const INSTALLS = /(?:\bnpm (?:ci|install|i)\b|'npm', \['(?:ci|install)'|\bnpx(?: |', \[)'?--yes).{0,40}/g;
  const commands = files.flatMap((file) => {
    const text = read(file).replaceAll(/\s+/g, ' ').replaceAll('[ ', '[');
    return [...text.matchAll(INSTALLS)].map(([command]) => `${file}: ${command}`);
  });
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
});

test('npm leaves them out by itself where a person types the command', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
});

test('the packages that have such scripts are those of which we know that they do without', () => {
  // @swc/core, esbuild, @parcel/watcher and unrs-resolver only look whether their optional package with the
  // program is there; protobufjs compares versions. A new name here: install without scripts, and run what
  // uses the package.
  const names = Object.entries(locked)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect([...new Set(names)].toSorted()).toEqual([
    '@parcel/watcher',
    '@swc/core',
    'esbuild',
    'protobufjs',
    'unrs-resolver',
  ]);
});

test('every package is pinned by the hash of its content', () => {
  const loose = Object.entries(locked).filter(
    ([path, { integrity, link }]) => path !== '' && link !== true && !(integrity ?? '').startsWith('sha512-'),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('our own dependencies have exact versions', () => {
  const ours = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.entries(ours[group] ?? {}),
  );
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
