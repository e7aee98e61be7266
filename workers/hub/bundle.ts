// Bundles the workflows once, for an image: a hub worker that is given the bundle starts sooner, and without
// a bundler in its memory.
import { mkdir, writeFile } from 'node:fs/promises';
import { bundleWorkflows } from './workflow-code.ts';

const BUNDLE = new URL('../../dist/workflow-bundle.js', import.meta.url);

/**
 * Writes dist/workflow-bundle.js, which WORKFLOW_BUNDLE may name. Throws what the bundler throws, such as for
 * a forbidden import.
 */
async function main(): Promise<void> {
  const { code } = await bundleWorkflows();
  await mkdir(new URL('.', BUNDLE), { recursive: true });
  await writeFile(BUNDLE, code);
}

await main();
