// All that `cappstan join` looks at before it writes anything.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kube } from '../../kube/client.ts';
import { freeIn, whyUnwritable } from '../local/disk.ts';
import { layoutOf, type Layout } from '../local/layout.ts';
import { siteAddress } from './account.ts';
import type { JoinCommand } from './command-line.ts';
import { isLetIn, ownCredential, pathOfCluster } from './credential.ts';
import { refuseEnded } from './ended.ts';
import { answerOf, knownHub, type KnownHub } from './hub.ts';
import { JoinRefused } from './refused.ts';
import { membershipOf, refuseOther, refuseUnreachable, refuseWithoutRights } from './site.ts';

type Join = Extract<JoinCommand, { what: 'join' }>;

const MIB = 1_048_576;
/** The agent's credentials are small; its first logs are not. */
const LEAST_ROOM = 64 * MIB;

export interface Checked {
  readonly hub: KnownHub;
  /**
   * By what the hub lets the agent in: its own credential; the token of the line, as the first time; or that
   * token since the hub refuses the credential, which has to go first.
   */
  readonly by: 'credential' | 'token' | 'token instead';
}

export function agentDir(layout: Layout): string {
  return join(layout.dataOf('agent'), 'hub');
}

/** With the token of the line by which the agent has come. */
export function bootstrapOf(layout: Layout): string {
  return layout.dataOf('bootstrap.kubeconfig');
}

export function tokenOf({ line }: Pick<Join, 'line'>): string {
  return `${line.token.id}.${line.token.secret}`;
}

/** Writes nothing. Throws JoinRefused. */
export async function checkJoin(asked: Join, site: Kube): Promise<Checked> {
  const { line, cluster, dir, kubeconfig } = asked;
  const layout = layoutOf(dir);
  await refuseDirectory(layout);
  await siteAddress(kubeconfig);
  await refuseUnreachable(site, kubeconfig);
  const own = await ownCredential(site, agentDir(layout));
  if (own === null) refuseEnded(line, cluster, Date.now());
  const hub = await knownHub(line, asked.proxy);
  await refuseWithoutRights(site);
  refuseOther(await membershipOf(site), { cluster, hub: hub.url, fingerprint: line.fingerprint });
  if (own !== null && (await isLetIn(hub, cluster, own))) return { hub, by: 'credential' };
  refuseEnded(line, cluster, Date.now());
  const isKnown = await isKnownByToken(hub, asked, own !== null);
  if (own === null) return { hub, by: 'token' };
  // By this line it has come already, and waits until it is accepted.
  const text = await readFile(bootstrapOf(layout), 'utf8').catch(() => '');
  return { hub, by: isKnown && text.includes(tokenOf(asked)) ? 'token' : 'token instead' };
}

/** Whether the hub has the cluster. Throws JoinRefused unless it knows the token. */
async function isKnownByToken(hub: KnownHub, asked: Join, hasJoined: boolean): Promise<boolean> {
  const { line, cluster } = asked;
  const { code } = await answerOf(hub, { token: tokenOf(asked) }, pathOfCluster(cluster));
  const before = hasJoined ? `The hub does not let the agent of ${cluster} in any more. ` : '';
  if (code === 401)
    throw new JoinRefused([
      `${before}The hub does not know the token (any more): it has ended, or was used. Ask for a new line: cappstan token --cluster ${cluster} --existing${hasJoined ? ', or without --existing if the hub does not have the cluster' : ''}.`,
    ]);
  if (code === 404 && line.cluster !== null)
    throw new JoinRefused([
      `The hub has no ManagedCluster ${cluster} any more. Ask for a new line: cappstan token --cluster ${cluster}.`,
    ]);
  if (code !== 200 && code !== 404)
    throw new JoinRefused([
      `The hub answers ${code} when it is shown the token. Look whether its address is right, or ask whoever runs it for the log of its API server.`,
    ]);
  return code === 200;
}

/** Throws JoinRefused when the agent could not write there. One that has written there may go on. */
async function refuseDirectory({ dir, data }: Layout): Promise<void> {
  const found = whyUnwritable(dir);
  if (found !== null)
    throw new JoinRefused([
      `--data-dir: ${found.place} ${found.why}. Give a directory that you own, such as --data-dir ~/site, or run this as root.`,
    ]);
  refuseNoRoom(dir, { free: await freeIn(dir), isNew: !existsSync(data) });
}

/** `free` in bytes. Throws JoinRefused when a new agent would find no room; one that has run may go on. */
export function refuseNoRoom(
  dir: string,
  { free, isNew }: { readonly free: number; readonly isNew: boolean },
): void {
  if (free >= LEAST_ROOM || !isNew) return;
  throw new JoinRefused([
    `--data-dir: ${Math.floor(free / MIB)} MiB are left on the disk of ${dir}, and an agent needs ${LEAST_ROOM / MIB}. Make room, or give another directory.`,
  ]);
}
