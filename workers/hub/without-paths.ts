// Bundles that are the same wherever they are made.

const MAP = '//# sourceMappingURL=data:';
const FILE = 'workflow-bundle.js';

/**
 * Replaces the source map of a bundle, in which are the paths of the machine that made it and every source
 * once more, by one that leads each line to itself: Temporal's worker wants a map, and stacks name the line
 * of the bundle. Throws if the bundle has no map.
 */
export function withoutPaths(bundle: string): string {
  const end = bundle.lastIndexOf(MAP);
  if (end < 0) throw new Error('The bundle of the workflows has no source map: has the bundler changed?');
  const code = bundle.slice(0, end);
  // Base64 VLQ: the first column is that of the same source and column, one line further than before.
  const mappings = `AAAA${';AACA'.repeat(code.split('\n').length - 1)}`;
  const map = { version: 3, file: FILE, sources: [FILE], names: [], mappings };
  return `${code}${MAP}application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}
