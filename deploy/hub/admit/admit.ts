// `cappstan hub admit`: shows what sites have and a restored hub does not, and opens the hub's doors when a
// person has seen it.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import { hubHashOf } from '../../../crds/ocm/work-identity.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { HUB, layoutOf } from '../../local/layout.ts';
import { stackProcesses } from '../../local/supervise/stack-processes.ts';
import type { Progress } from '../../local/terminal.ts';
import { configuredIn } from '../backup/configured.ts';
import { asAt } from '../backup/about.ts';
import { ConfigRefused } from '../config/refused.ts';
import { lossesOf, returningTo, type SiteLoss, type SiteWorks } from './losses.ts';
import { admitAll, restoredIn } from './restored.ts';
import { commandFor, siteListIn } from './site-list.ts';
import { lineOf, fingerprintOfLosses } from './wording.ts';

export interface Admit {
  /** Absolute. */
  readonly dir: string;
  /** By the name of the cluster: a file with what is on it. */
  readonly sites: ReadonlyMap<string, string>;
  /** Clusters that come in though nobody has looked. */
  readonly unseen: readonly string[];
  /** The digest of the losses that the person has seen. */
  readonly lose: string | null;
}

/** Writes nothing but that the doors are open. Throws ConfigRefused while something was not seen. */
export async function admitSites(asked: Admit, { say }: Pick<Progress, 'say'>): Promise<void> {
  const { dir } = asked;
  const restored = await restoredIn(dir);
  if (restored === null)
    return say(`Nothing is shut in ${dir}: no hub there waits to be admitted after a restore.`);
  const layout = layoutOf(dir);
  if (!(await stackProcesses(dir)).some(({ name }) => name === 'hub-api-server'))
    throw new ConfigRefused([
      `The restored hub in ${dir} does not run. Start it, and leave it running: cappstan hub --config ${dir}`,
    ]);
  const kube = connect({ kubeconfig: layout.kubeconfig(HUB), userAgent: 'cappstan-hub' });
  try {
    say(`The hub is ${asAt(restored.at)}.`);
    refuseUnseen(await seen(kube, asked, say), asked.lose, layout.kubeconfig(HUB));
    await admitAll(dir);
    say('The doors are open: the hub starts what else it has, and agents come in.');
  } finally {
    await kube.close();
  }
}

interface Seen {
  readonly count: number;
  readonly digest: string;
}

/**
 * The losses, after they and what returns were said. Throws ConfigRefused for clusters at which nobody has
 * looked.
 */
async function seen(kube: Kube, { dir, sites, unseen }: Admit, say: Progress['say']): Promise<Seen> {
  const clusters = (await kube.list<ManagedCluster>(MANAGED_CLUSTER)).items;
  const known = clusters
    .filter(({ spec }) => spec?.hubAcceptsClient === true)
    .map(({ metadata }) => metadata.name);
  const strangers = [...sites.keys(), ...unseen].filter((name) => !known.includes(name));
  const missing = known.filter((name) => !sites.has(name) && !unseen.includes(name));
  const lost: SiteLoss[] = [];
  const ended = await endings(kube);
  for (const [cluster, file] of sites) {
    if (!known.includes(cluster)) continue;
    const site = await siteOf(kube, { dir, cluster, file });
    lost.push(...lossesOf(site));
    for (const work of returningTo(site)) say(`${cluster}: ${work} is not there, and comes back.`);
  }
  const lines = [...ended, ...lost.map((loss) => lineOf(loss))];
  lines.forEach((line, index) => say(`${index + 1}. ${line}`));
  const refusals = [
    ...strangers.map(
      (name) =>
        `The hub knows no cluster ${name}: its agent is not let in, and nothing on it is removed. Leave it out here, and let it join again with a new token (cappstan token --cluster ${name}).`,
    ),
    ...missing.map(
      (name) =>
        `Nobody has looked at ${name}. On that site: ${commandFor(name)}\n  Then give --site ${name}=${name}.json, or --unseen ${name} if it cannot be asked.`,
    ),
  ];
  if (refusals.length > 0) throw new ConfigRefused(refusals);
  return { count: lines.length, digest: fingerprintOfLosses(lost, ended) };
}

async function siteOf(
  kube: Kube,
  { dir, cluster, file }: { dir: string; cluster: string; file: string },
): Promise<SiteWorks> {
  const applied = await siteListIn(cluster, file);
  const works = (await kube.list<ManifestWork>(MANIFEST_WORK, { namespace: cluster })).items;
  if (applied.length === 0 && works.some(({ status }) => status?.conditions !== undefined))
    throw new ConfigRefused([
      `${file} is empty, and the hub has works on ${cluster}. Look whether it is of that site; if it is, and the site was made again, give --unseen ${cluster}.`,
    ]);
  const { externalHostname = '', port = 0, externalPort } = (await configuredIn(dir))?.apiServer ?? {};
  const url = `https://${externalHostname}:${externalPort ?? port}`;
  return { cluster, hubHash: hubHashOf(url), works, applied };
}

/** A deletion that was under way goes on, also of what was created again under that name since. */
async function endings(kube: Kube): Promise<string[]> {
  const lines: string[] = [];
  for (const kind of [CAPP, CAPP_SET, BUNDLE, MANAGED_CLUSTER])
    for (const { metadata } of (await kube.list(kind)).items)
      if (metadata.deletionTimestamp !== undefined) {
        const name =
          metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
        lines.push(`${kind.kind} ${name} was being deleted, and that goes on.`);
      }
  return lines;
}

function refuseUnseen({ count, digest }: Seen, lose: string | null, kubeconfig: string): void {
  if (count === 0) {
    if (lose === null) return;
    throw new ConfigRefused([`Nothing is lost, and --lose is ${lose}. Leave it out.`]);
  }
  if (lose === digest) return;
  const what = count === 1 ? 'This is lost' : `These ${count} are lost`;
  const changed = lose === null ? '' : `This is not the list of --lose ${lose}. `;
  throw new ConfigRefused([
    `${changed}${what} when the agents come in. Write again on the hub what you want to keep (kubectl --kubeconfig ${kubeconfig}), and look again; or go on with --lose ${digest}.`,
  ]);
}
