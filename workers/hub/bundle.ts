// Bundles the workflows once, for an image: a hub worker that is given the bundle starts sooner, and without
// a bundler in its memory.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflows } from './workflow-code.ts';
import { withoutPaths } from './without-paths.ts';

const BUNDLE = join(import.meta.dirname, '../../dist/workflow-bundle.js');

/**
 * Writes dist/workflow-bundle.js, or the file that is named, which WORKFLOW_BUNDLE may name. Throws what the
 * bundler throws, such as for a forbidden import.
 */
async function main(file = BUNDLE): Promise<void> {
  const { code } = await bundleWorkflows();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, withoutPaths(code));
}

await main(process.argv[2]);
