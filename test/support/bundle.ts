// The workflows as workers run them, bundled once for every version of their source and kept for the next run of the tests.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { preloadModules, workflowsPath } from '../../workers/workflow-code.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'workflows');
const CACHE = join(ROOT, 'node_modules/.cache/cappstan');

let bundle: Promise<{ readonly codePath: string }> | null = null;

/** For `workflowBundle` of a worker. Half a second to two when the source is new; two that bundle at once write the same file. */
export function workflowBundle(): Promise<{ readonly codePath: string }> {
  bundle ??= find();
  return bundle;
}

async function find(): Promise<{ readonly codePath: string }> {
  const codePath = join(CACHE, `workflows-${hashOfSource()}.js`);
  if (existsSync(codePath)) return { codePath };
  const { code } = await bundleWorkflowCode({ workflowsPath, preloadModules, logger: new DefaultLogger('WARN') });
  await mkdir(CACHE, { recursive: true });
  const half = `${codePath}.${randomUUID()}`;
  await writeFile(half, code);
  await rename(half, codePath);
  return { codePath };
}

function hashOfSource(): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, 'node_modules/@temporalio/worker/package.json')))
    .update(preloadModules.join());
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(SOURCE, file)));
  }
  return hash.digest('hex').slice(0, 20);
}
