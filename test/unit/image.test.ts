// The image's recipe against what it is made from, since nothing here can build it: sources complete, no root and no shell where it runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const recipe = read('deploy/images/Dockerfile');
const stages = recipe.split(/^FROM /m).slice(1);
const bundle = stages.find((stage) => /^\S+ AS bundle$/m.test(stage)) ?? '';
const last = stages.at(-1) ?? '';

const copied = (stage: string): string[] => [...stage.matchAll(/^COPY ([\w-]+) \1$/gm)].map(([, folder = '']) => folder);

function sourcesIn(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => read(`${folder}/${file}`));
}

/** Our folders that the sources of these folders import at run time, and theirs in turn. */
function reached(folders: readonly string[], seen = new Set<string>()): Set<string> {
  for (const folder of folders.filter((one) => !seen.has(one))) {
    seen.add(folder);
    const imports = sourcesIn(folder).flatMap((source) => [
      ...source.matchAll(/^(?:import (?!type )[^;]*?from|import) '(?:\.\.\/)+([\w-]+)\//gm),
    ]);
    reached([...new Set(imports.map(([, other = '']) => other))], seen);
  }
  return seen;
}

test('the image has every source that a process imports, and no other', () => {
  expect(copied(last).toSorted()).toEqual([...reached(['workers', 'workflows'])].toSorted());
});

test('every package that a process imports is there without those of development', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const imported = copied(last)
    .flatMap(sourcesIn)
    .flatMap((source) => [...source.matchAll(/^import (?!type )[^;]*?from '((?:@[\w-]+\/)?[\w-]+)['/]/gm)]);
  const packages = new Set(imported.map(([, name = '']) => name));
  expect(packages.size).toBeGreaterThan(8);
  expect([...packages].filter((name) => dependencies[name] === undefined)).toEqual([]);
});

test('nothing that is copied is kept from the build', () => {
  const admitted = read('deploy/images/Dockerfile.dockerignore').split('\n');
  for (const folder of [...copied(last), ...copied(bundle)]) {
    expect(existsSync(new URL(folder, ROOT))).toBe(true);
    expect(admitted).toContain(`!${folder}`);
  }
});

test('what runs has no shell, and its user is not root', () => {
  expect(recipe).toMatch(/^ARG RUN_IMAGE=gcr\.io\/distroless\//m);
  expect(last).toMatch(/^\$\{RUN_IMAGE\}$/m);
  expect(last).not.toMatch(/^RUN /m);
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  for (const [, form = ''] of last.matchAll(/^(?:CMD|ENTRYPOINT) (.*)$/gm)) expect(JSON.parse(form)).toBeInstanceOf(Array);
});

test('no container of the chart needs a program beside Node', () => {
  const parts = read('deploy/helm/templates/_parts.tpl');
  expect(parts).toMatch(/command:\n\s+- node\n/);
  expect(parts).not.toMatch(/\bexec:/);
});
