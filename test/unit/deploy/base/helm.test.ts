// Which helm is used. The helms are scripts that say a version: none so old can be had here.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { callHelm, helmProgram, lineFor } from '../../../../deploy/join/base/helm.ts';

const { CAPPSTAN_CACHE, PATH = '' } = process.env;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helm-'));
  // That of `make tools` comes first otherwise.
  process.env['CAPPSTAN_CACHE'] = join(folder, 'empty');
  process.env['PATH'] = [folder, PATH].join(delimiter);
});
afterEach(async () => {
  if (CAPPSTAN_CACHE === undefined) delete process.env['CAPPSTAN_CACHE'];
  else process.env['CAPPSTAN_CACHE'] = CAPPSTAN_CACHE;
  process.env['PATH'] = PATH;
  delete process.env['HELM_KUBECONTEXT'];
  delete process.env['HELM_KUBETOKEN'];
  await rm(folder, { recursive: true, force: true });
});

async function saying(script: string): Promise<void> {
  await writeFile(join(folder, 'helm'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'helm'), 0o755);
}

it.each([
  ['echo v3.13.3+gc8b9489', null],
  ['echo v2.17.0+ga690bad', null],
  ['exit 1', null],
  ['echo v3.14.0+g3fc9f4b', 'helm'],
  ['echo v3.20.2+gabcdef0', 'helm'],
  ['echo v4.0.1+g12500dd', 'helm'],
])('a helm on the PATH that runs `%s` is %s', async (script, program) => {
  await saying(script);
  expect(await helmProgram()).toBe(program);
});

it('goes to the cluster of the kubeconfig, whatever the environment says, and so does the line for a person', async () => {
  await saying(
    '[ "$1" = version ] && echo v3.14.0 || echo "${HELM_KUBECONTEXT-none} ${HELM_KUBETOKEN-none} $*"',
  );
  process.env['HELM_KUBECONTEXT'] = 'another';
  process.env['HELM_KUBETOKEN'] = 'of-somebody';
  expect(await callHelm(['list'])).toBe('none none list\n');
  const line = await lineFor(['list', '--kubeconfig', "/it's here"]);
  expect(line).toMatch(/^env (-u HELM_KUBE(CONTEXT|TOKEN) ){2}helm list --kubeconfig '\/it'\\''s here'$/);
});
