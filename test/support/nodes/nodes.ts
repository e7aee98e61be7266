// The Nodes that users may have, from npm as the lock file beside this says: the oldest one that runs our
// programs for people, the first of the line between that and the pinned one, and one that is too old.
// Downloaded once.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedFrom } from '../installed.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** `oldest` is the first version with the number that package.json, README and docs name. */
export type OtherNode = 'oldest' | 'middle' | 'too old';

const PACKAGES = {
  oldest: 'node-20',
  middle: 'node-22',
  'too old': 'node-18',
} as const satisfies Record<OtherNode, string>;

/** Its executable. Throws what npm throws. */
export async function otherNode(which: OtherNode): Promise<string> {
  const folder = await installedFrom(HERE, 'nodes');
  return join(folder, 'node_modules', `${PACKAGES[which]}-${process.arch}`, 'bin', 'node');
}
