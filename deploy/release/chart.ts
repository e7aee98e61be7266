// The chart as an archive in which the image is named by its digest, and pushing it.
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '../local/programs/tools.ts';
import { pack, sha256Of } from './archive.ts';
import { crane } from './image.ts';

const CHART = join(import.meta.dirname, '../helm');

/** As in .helmignore. */
const IGNORED = ['embed.ts'];

export interface ReleasedImage {
  readonly repository: string;
  readonly digest: string;
}

/** Writes the archive. `scratch` is an empty folder. */
export async function packChart(
  file: string,
  { image, scratch, epoch }: { image: ReleasedImage; scratch: string; epoch: number },
): Promise<void> {
  await cp(CHART, join(scratch, 'cappstan'), { recursive: true });
  const values = join(scratch, 'cappstan/values.yaml');
  await writeFile(values, withImage(await readFile(values, 'utf8'), image));
  await pack(file, {
    from: scratch,
    paths: ['cappstan'],
    without: IGNORED.map((file) => `cappstan/${file}`),
    epoch,
  });
}

/** values.yaml with these defaults, and its comments. Throws if it has no such lines. */
export function withImage(values: string, { repository, digest }: ReleasedImage): string {
  const lines = [
    [/^ {2}repository: cappstan$/m, `  repository: ${repository}`],
    [/^ {2}digest: ''$/m, `  digest: ${digest}`],
  ] as const;
  let text = values;
  for (const [line, becomes] of lines) {
    if (!line.test(text))
      throw new Error(`values.yaml has no line ${line.source}: change deploy/release/chart.ts with it`);
    text = text.replace(line, becomes);
  }
  return text;
}

/** Pushes it to `<registry>/charts/cappstan`. Safe to repeat. Throws if another chart has this version. */
export async function pushChart(file: string, registry: string, version: string): Promise<void> {
  const chart = `${registry}/charts/cappstan:${version}`;
  const present = await layerOf(chart);
  if (present === `sha256:${await sha256Of(file)}`) return;
  if (present !== null)
    throw new Error(`${chart} is another chart already. Release a new version, or delete that one.`);
  await promisify(execFile)(toolPath('helm'), [
    'push',
    file,
    `oci://${registry}/charts`,
    ...plainFor(registry),
  ]);
}

/** The digest of the archive that the registry has. */
async function layerOf(chart: string): Promise<string | null> {
  try {
    const { layers } = JSON.parse(await crane(['manifest', chart])) as {
      layers: readonly { digest: string }[];
    };
    return layers[0]?.digest ?? null;
  } catch (error) {
    if (/MANIFEST_UNKNOWN|NAME_UNKNOWN|404 Not Found/.test(String(error))) return null;
    throw error;
  }
}

/** crane speaks HTTP to this machine by itself, helm wants to be told. */
export function plainFor(registry: string): string[] {
  return /^(?:localhost|127\.[\d.]+)(?::|\/)/.test(registry) ? ['--plain-http'] : [];
}
