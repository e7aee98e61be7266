// `cappstan token`: a token with which one cluster may join the hub, once.
import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { freshToken, tokenSecret, type TokenText } from '../../../crds/join/bootstrap-token.ts';
import { CLUSTER_INFO } from '../../../crds/join/cluster-info.ts';
import { expectedCluster, tokenFor, tokenNotes } from '../../../crds/join/expected.ts';
import { REUSE_NAME } from '../../../crds/join/labels.ts';
import { isClusterName, joinLine } from '../../../crds/join/join-line.ts';
import { wayOf, type WayToHub } from '../../../crds/join/way.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { refuseFormer } from './former.ts';
import { refuseExisting, saveLine } from './save-line.ts';
import { acting, onHub, type CommandCall, type Program } from '../command.ts';

interface Flags {
  readonly cluster?: string;
  readonly any?: true;
  readonly ttl?: number;
  readonly clusterset?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly existing?: true;
  readonly reuseName?: true;
  readonly save?: string;
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const LONGEST = 30 * 24 * 60 * MINUTE;
const MADE_BY = { fieldManager: 'kubectl-capp' } as const;

export function addToken(program: Program): void {
  withFlags(onHub(program.root.command('token')))
    .description('make a token with which a cluster joins the hub (for operators)')
    .action(acting<Flags>(program, token));
}

function withFlags(command: Command): Command {
  return command
    .option('--cluster <name>', 'the one cluster that it is for: accepted when it comes, once', clusterName)
    .option('--any', 'for whichever cluster, instead: a person accepts each that comes')
    .option('--ttl <time>', 'how long it is good, such as 30m, 24h or 7d (24h)', duration)
    .option('--clusterset <name>', 'the ManagedClusterSet of the cluster')
    .option('--label <key=value>', 'a label of the cluster; may be repeated', labels)
    .option('--existing', 'the cluster is known to the hub already, and keeps its labels')
    .option(
      '--reuse-name',
      'although an agent of a former cluster of this name may have a certificate, which is good again then',
    )
    .option('--save <file>', 'write the line there, for you alone, instead of showing it');
}

function clusterName(text: string): string {
  if (isClusterName(text)) return text;
  throw new InvalidArgumentError('Write at most 63 of a-z, 0-9 and -, such as shop-7.');
}

function duration(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= LONGEST) return ms;
  throw new InvalidArgumentError('Write a time up to 30 days, such as 30m, 24h or 7d.');
}

function labels(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, key, value = ''] = /^([^=\s]+)=(\S*)$/.exec(text) ?? [];
  if (key !== undefined) return { ...before, [key]: value };
  throw new InvalidArgumentError('Write region=eu.');
}

async function token({ flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const { cluster, ttl = 24 * 60 * MINUTE } = flags;
  refuseUnclear(flags);
  if (flags.save !== undefined) refuseExisting(flags.save);
  const way = await wayTo(hub);
  const text = freshToken(randomBytes);
  const endsAt = Date.now() + ttl;
  if (cluster === undefined) await hub.kube.create<Secret>(SECRET, tokenSecret(text, endsAt, null), MADE_BY);
  else await bind(hub, { flags, cluster, endsAt, text });
  const line = joinLine({ ...way, cluster: cluster ?? null, token: text, endsAt });
  if (flags.save === undefined) terminal.out(line);
  else saveLine(flags.save, line);
  const [what, then] =
    cluster === undefined
      ? ['for any cluster', 'A person accepts each cluster that comes: cappstan accept <cluster>.']
      : [`for ${cluster} alone, once`, 'It is accepted when it comes: cappstan joins shows how far it is.'];
  terminal.note(
    `Good until ${new Date(endsAt).toISOString()}, ${what}. Whoever has this line can use it: keep it secret. On the site: cappstan join ${flags.save === undefined ? '<line>' : `"$(cat ${flags.save})"`} --kubeconfig <kubeconfig of the site>. ${then}`,
  );
  return 'done';
}

function refuseUnclear({ cluster, any, clusterset, label, existing, reuseName }: Flags): void {
  if ((cluster === undefined) === (any === undefined))
    throw new CommandFailure(
      'usage',
      'Say for which cluster the token is with --cluster, or --any for one that a person accepts.',
    );
  const given = [clusterset, label, existing, reuseName].some((flag) => flag !== undefined);
  if (any === true && given)
    throw new CommandFailure(
      'usage',
      '--clusterset, --label, --existing and --reuse-name are about one cluster: say which with --cluster, or leave them out.',
    );
  if (existing === true && (clusterset !== undefined || label !== undefined))
    throw new CommandFailure(
      'usage',
      '--existing keeps the labels of the cluster. Change them with kubectl label managedcluster.',
    );
}

/** Where a site finds the hub, and by what it knows it. */
async function wayTo({ kube, server }: ConnectedHub): Promise<WayToHub> {
  const way = wayOf(await kube.get<ConfigMap>(CONFIG_MAP, CLUSTER_INFO));
  if (way !== null) return way;
  throw new CommandFailure(
    'notFound',
    `The hub at ${server} does not say where sites find it: it has no ConfigMap kube-public/cluster-info with an address and an authority. cappstan hub and kubeadm make one.`,
  );
}

interface Wanted {
  readonly flags: Flags;
  readonly cluster: string;
  readonly endsAt: number;
  readonly text: TokenText;
}

/**
 * The ManagedCluster comes first, by this person's own rights: the token is for that very object, and nobody
 * else can have put labels on it.
 */
async function bind(hub: ConnectedHub, wanted: Wanted): Promise<void> {
  const managed = await expected(hub, wanted);
  const { text, endsAt, flags } = wanted;
  const notes = flags.reuseName === true ? { [REUSE_NAME]: 'true' } : {};
  await hub.kube.create<Secret>(SECRET, tokenFor(text, endsAt, managed, notes), MADE_BY);
}

async function expected(
  hub: ConnectedHub,
  { flags, cluster, endsAt, text }: Wanted,
): Promise<ManagedCluster> {
  const annotations = tokenNotes(text.id, endsAt);
  const key = { namespace: null, name: cluster };
  const known = await hub.kube.get<ManagedCluster>(MANAGED_CLUSTER, key);
  if (known?.metadata.deletionTimestamp !== undefined)
    throw new CommandFailure('failed', `${cluster} is being deleted on the hub. Try again when it is gone.`);
  if (known !== null && flags.existing !== true)
    throw new CommandFailure(
      'failed',
      `The hub has a ManagedCluster ${cluster} already. If it is the one that is to join, look at its labels (kubectl get managedcluster ${cluster} --show-labels), and say --existing. Otherwise choose another name.`,
    );
  if (known === null && flags.existing === true)
    throw new CommandFailure('notFound', `The hub has no ManagedCluster ${cluster}. Leave --existing out.`);
  if (flags.reuseName !== true) await refuseFormer(hub, cluster, known);
  if (known !== null)
    return hub.kube.patch(
      MANAGED_CLUSTER,
      key,
      { metadata: { uid: known.metadata.uid, annotations } },
      MADE_BY,
    );
  const { label: labels, clusterset: clusterSet } = flags;
  const made = expectedCluster({ name: cluster, labels, clusterSet, annotations });
  return hub.kube.create<ManagedCluster>(MANAGED_CLUSTER, made, MADE_BY);
}
