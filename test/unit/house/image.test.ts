// Checks the Dockerfile without building an image: its sources are complete, the built processes start, and
// the image has no shell and no root user.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const recipe = read('deploy/images/Dockerfile');
const stages = recipe.split(/^FROM /m).slice(1);
const build = stages.find((stage) => /^\S+ AS build$/m.test(stage)) ?? '';
const last = stages.at(-1) ?? '';

const copied = (stage: string): string[] =>
  [...stage.matchAll(/^COPY ([\w-]+) \1$/gm)].map(([, folder = '']) => folder);

/** Paths from the root. */
function sourcesIn(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`);
}

/** The top folders of the files that a source imports at run time. */
function importedBy(source: string): string[] {
  const imports = read(source).matchAll(/^(?:import (?!type )[^;]*?from|import) '(\.{1,2}\/[^']+)'/gm);
  return [...imports].map(([, path = '']) => posix.join(posix.dirname(source), path).split('/')[0] ?? '');
}

/** The top folders that the sources of these folders import at run time, also indirectly. */
function reached(folders: readonly string[], seen = new Set<string>()): Set<string> {
  for (const folder of folders.filter((one) => !seen.has(one))) {
    seen.add(folder);
    const imports = sourcesIn(folder).flatMap(importedBy);
    reached([...new Set(imports)], seen);
  }
  return seen;
}

interface Refused {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const folders = copied(build).filter((folder) => folder !== 'types');

test('the image contains exactly the folders that its processes import', () => {
  expect(folders.toSorted()).toEqual([...reached(['workers', 'workflows'])].toSorted());
});

describe('the built code', () => {
  let built: string;

  beforeAll(() => {
    // Inside the repository, so that Node finds its packages.
    const place = fileURLToPath(new URL('dist/', ROOT));
    mkdirSync(place, { recursive: true });
    built = mkdtempSync(join(place, 'image-test-'));
  });
  afterAll(() => rmSync(built, { recursive: true }));

  it('starts every process as JavaScript', async () => {
    await promisify(execFile)(
      fileURLToPath(new URL('node_modules/.bin/tsc', ROOT)),
      ['-p', 'deploy/images', '--outDir', built],
      {
        cwd: fileURLToPath(ROOT),
      },
    );
    // As the Dockerfile does.
    cpSync(new URL('package.json', ROOT), join(built, 'package.json'));
    const mains = readdirSync(new URL('workers/', ROOT), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('/main.ts'),
    );
    expect(mains).toHaveLength(9);
    for (const main of mains) {
      const file = join(built, 'workers', main.replace('.ts', '.js'));
      const running = promisify(execFile)(process.execPath, ['--no-strip-types', file], { env: {} });
      const { code, stdout, stderr } = await running.then(
        (said) => ({ ...said, code: 0 }),
        (error: Refused) => error,
      );
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(/is not set: set it to|set KUBECONFIG/);
    }
  });
});

test('every package that a process imports is a dependency, not a devDependency', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const imported = folders
    .flatMap(sourcesIn)
    .map(read)
    .flatMap((source) => [...source.matchAll(/^import (?!type )[^;]*?from '((?:@[\w-]+\/)?[\w-]+)['/]/gm)]);
  const packages = new Set(imported.map(([, name = '']) => name));
  expect(packages.size).toBeGreaterThan(8);
  expect([...packages].filter((name) => dependencies[name] === undefined)).toEqual([]);
});

test('.dockerignore admits every folder that the Dockerfile copies', () => {
  const admitted = read('deploy/images/Dockerfile.dockerignore').split('\n');
  for (const folder of copied(build)) {
    expect(existsSync(new URL(folder, ROOT))).toBe(true);
    expect(admitted).toContain(`!${folder}`);
  }
});

test('the base images are named by digest, which are required build arguments', () => {
  const named = Object.fromEntries(
    [...recipe.matchAll(/^ARG (\w+)(?:=(.*))?$/gm)].map(([, name = '', value]) => [name, value]),
  );
  expect(named).toMatchObject({ NODE_DIGEST: undefined, RUN_DIGEST: undefined });
  for (const stage of stages) {
    const [, image = ''] = /^\$\{(\w+)\}/.exec(stage) ?? [];
    expect(named[image]).toMatch(/@\$\{\w+_DIGEST\}$/);
  }
});

test('the image has no shell, and its user is not root', () => {
  expect(recipe).toMatch(/^ARG RUN_IMAGE=gcr\.io\/distroless\//m);
  expect(last).toMatch(/^\$\{RUN_IMAGE\}$/m);
  expect(last).not.toMatch(/^RUN /m);
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  for (const [, form = ''] of last.matchAll(/^(?:CMD|ENTRYPOINT) (.*)$/gm))
    expect(JSON.parse(form)).toBeInstanceOf(Array);
});

test('the chart names the image in one place, so that a digest holds for every process', () => {
  const templates = new URL('deploy/helm/templates/', ROOT);
  const text = readdirSync(templates)
    .map((file) => readFileSync(new URL(file, templates), 'utf8'))
    .join('\n');
  expect([...text.matchAll(/^\s*(?:- )?image: .*$/gm)].map(([line]) => line.trim())).toEqual([
    'image: {{ include "cappstan.image" .root | quote }}',
  ]);
});

test('no container of the chart needs a program other than Node', () => {
  const parts = read('deploy/helm/templates/_parts.tpl');
  expect(parts).toMatch(/command:\n\s+- node\n/);
  expect(parts).not.toMatch(/\bexec:/);
});
