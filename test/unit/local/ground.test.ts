// The version of a ground: files of tests share what is laid as long as nothing that decides it changes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOf } from '../../support/servers/ground/ground.ts';
import { flagsIn } from '../../support/servers/ground/server-in-folder.ts';

const GROUND = { objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }] };

let dirs: string[] = [];
beforeAll(async () => {
  dirs = await Promise.all(['a', 'b'].map((name) => mkdtemp(join(tmpdir(), `ground-${name}-`))));
});
afterAll(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true });
});

test('servers in different folders have one version', async () => {
  const [one, other] = await Promise.all(dirs.map(flagsIn));
  expect(one).toContain('--service-cluster-ip-range=10.0.0.0/24');
  expect(versionOf(GROUND, one ?? [])).toBe(versionOf(GROUND, other ?? []));
});

test('other flags and other objects are other versions', async () => {
  const flags = await flagsIn(dirs[0] ?? '');
  const others = flags.map((flag) => flag.replace('10.0.0.0/24', '10.1.0.0/24'));
  const versions = [
    versionOf(GROUND, flags),
    versionOf(GROUND, others),
    versionOf({ objects: [...GROUND.objects, ...GROUND.objects] }, flags),
  ];
  expect(new Set(versions).size).toBe(versions.length);
});
