// The workflows as workers run them, bundled once for every version of their source and kept for the next run
// of the tests.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows, payloadConverterPath, preloadModules } from '../../../workers/hub/workflow-code.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'workflows');
const CACHE = join(ROOT, 'node_modules/.cache/cappstan');

/** Reports the calls of workflows, for replays. */
const CALL_RECORDER = join(import.meta.dirname, '../replay/call-recorder.ts');
/** Records every activation of a workflow, for replays. */
const RECORD_ACTIVATIONS = join(import.meta.dirname, '../engines/record-activations.ts');

type Found = Promise<{ readonly codePath: string }>;
const bundles = new Map<string, Found>();

/** For the option `workflowBundle` of a worker. Takes up to two seconds when a source has changed. */
export function workflowBundle(): Found {
  return bundleWith([]);
}

/** The same, and the sink `said` gets every call of a workflow. */
export function callRecordingBundle(): Found {
  return bundleWith([CALL_RECORDER]);
}

/** The same, and the sink `activations` gets every activation. */
export function recordingBundle(): Found {
  return bundleWith([RECORD_ACTIVATIONS]);
}

function bundleWith(interceptors: readonly string[]): Found {
  const key = interceptors.join();
  const known = bundles.get(key) ?? find(interceptors);
  bundles.set(key, known);
  return known;
}

/** Bundles the workflows of another folder, each time. */
export async function bundleOf(path: string): Found {
  const { code } = await bundleWorkflowCode({ workflowsPath: path, logger: new DefaultLogger('WARN') });
  const codePath = join(path, '../bundle.js');
  await writeFile(codePath, code);
  return { codePath };
}

async function find(interceptors: readonly string[]): Found {
  const codePath = join(CACHE, `workflows-${hashOfSource(interceptors)}.js`);
  if (existsSync(codePath)) return { codePath };
  const { code } = await bundleWorkflows(interceptors);
  await mkdir(CACHE, { recursive: true });
  const half = `${codePath}.${randomUUID()}`;
  await writeFile(half, code);
  await rename(half, codePath);
  return { codePath };
}

function hashOfSource(interceptors: readonly string[]): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, 'node_modules/@temporalio/worker/package.json')))
    .update([payloadConverterPath, ...preloadModules].join());
  for (const file of interceptors) hash.update(file).update(readFileSync(file));
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(SOURCE, file)));
  }
  return hash.digest('hex').slice(0, 20);
}
