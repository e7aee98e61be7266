// One release is on the local stack and in a site base: what is pinned here is what go.mod pins.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addressOf,
  KNATIVE_VERSION,
  PUBLISHED,
  type Published,
} from '../../../../deploy/local/published/pins.ts';

const GO = join(import.meta.dirname, '../../../../deploy/local/programs/go');
const versionOf = (graph: string, module: string): string | undefined =>
  new RegExp(`^\\s${module.replaceAll('.', '\\.')} (v\\S+)`, 'm').exec(
    readFileSync(join(GO, graph, 'go.mod'), 'utf8'),
  )?.[1];
const all: readonly Published[] = Object.values(PUBLISHED);

it('the release is that of the Knative which the local stack runs', () => {
  const [, minor] = KNATIVE_VERSION.split('.').map(Number);
  // Knative's modules have the number of the release, and 27 more.
  const module = `v0.${(minor ?? 0) + 27}.`;
  expect(versionOf('stack', 'knative.dev/serving')?.startsWith(module)).toBe(true);
  expect(versionOf('published', 'knative.dev/serving')).toBe(versionOf('stack', 'knative.dev/serving'));
  expect(versionOf('published', 'knative.dev/operator')?.startsWith(module)).toBe(true);
});

it.each(all)('$file has a digest, an address at a commit, and a module with a version', (file) => {
  expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(file.commit).toMatch(/^[0-9a-f]{40}$/);
  expect(addressOf(file)).toContain(`/${file.commit}/`);
  expect(versionOf('published', file.module)).toMatch(/^v0\./);
});

it('no two files have one name in a folder that somebody gives', () => {
  expect(new Set(all.map(({ file }) => file)).size).toBe(all.length);
});
