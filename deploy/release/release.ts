// `make release`: what others install, made of one commit. The image and the chart go to the registry that is
// named, everything else into dist/release.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTools } from '../local/programs/build.ts';
import { RELEASE_MODULES } from '../local/programs/modules.ts';
import { runCommand, type Progress } from '../local/terminal.ts';
import { sha256Of } from './archive.ts';
import { packChart, pushChart } from './chart.ts';
import { pushImage, tagOnce } from './image.ts';
import { licenceList, lockedPackages } from './licences.ts';
import { orderFrom, sourceOf, type ReleaseOrder, type ReleaseSource } from './order.ts';
import { makeContents, ROOT } from './contents.ts';

/** Where to find what was released. */
export interface ReleasedParts {
  readonly repository: string;
  readonly digest: string;
  /** Paths in the folder. */
  readonly chart: string;
  readonly sbom: string;
}

/**
 * Safe to repeat: what the registry has already stays. Throws if it has something else under this version.
 */
export async function release(
  { registry, base, folder }: ReleaseOrder & { folder: string },
  source: ReleaseSource,
  progress: Progress,
): Promise<ReleasedParts> {
  const { version, commit, epoch } = source;
  const repository = `${registry}/cappstan`;
  const work = await mkdtemp(join(tmpdir(), 'cappstan-release-'));
  try {
    const [root, scratch, charts] = ['root', 'layers', 'chart'].map((name) => join(work, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [folder, scratch, charts]) await mkdir(one, { recursive: true });
    const contents = await progress.step('Building what the image contains', () => makeContents(root, epoch));
    const image = { root, scratch, base, repository, version, commit, epoch };
    const digest = await progress.step('Pushing the image', () => pushImage(image));
    await tagOnce(repository, version, digest);
    const released = {
      repository,
      digest,
      chart: join(folder, `cappstan-${version}.tgz`),
      sbom: join(folder, `cappstan-${version}.cdx.json`),
    };
    await packChart(released.chart, { image: { repository, digest }, scratch: charts, epoch });
    await progress.step('Pushing the chart', () => pushChart(released.chart, registry, version));
    await writeFile(released.sbom, contents.sbom);
    await writeFile(join(folder, `cappstan-${version}.licences.txt`), licenceList(lockedPackages()));
    return released;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function main(progress: Progress): Promise<void> {
  const folder = join(ROOT, 'dist', 'release');
  const order = orderFrom(process.env);
  const source = await sourceOf(ROOT);
  await buildTools(progress, RELEASE_MODULES);
  const { repository, digest, chart } = await release({ ...order, folder }, source, progress);
  progress.say(`
The image: ${repository}:${source.version}@${digest}
The chart: oci://${order.registry}/charts/cappstan, version ${source.version}, which names this image
  helm install cappstan oci://${order.registry}/charts/cappstan --version ${source.version} …   (docs/install.md)
The chart’s archive, with SHA-256 ${await sha256Of(chart)}, the SBOM, the licences and the program for people are in ${folder}`);
}

if (import.meta.main) await runCommand(main);
