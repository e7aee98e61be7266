// Certificates of a running hub that end within seconds, while somebody asks its API server and its etcd
// again and again. What the hub does each hour is done here every few seconds: the files are written again.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { etcdGuard } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { connect } from '../../../../kube/client.ts';
import { portOf, served, version } from './hub-doors.ts';
import type { HubStarted } from './started-hub.ts';

/** Of each certificate; it is written again when half of it is over. */
const LIFETIME_MS = 6_000;
const RENEWALS = 4;
/** Those of who asks stay: programs in Go read theirs again every few minutes. */
const SHORT_LIVED = ['api-server.crt', 'etcd-client.crt', 'etcd-server.crt'] as const;

export interface Asked {
  /** The longest time between two answers of the one or the other, in milliseconds. */
  readonly longest: number;
  /** Certificates of the API server that have been shown and have ended since. */
  readonly ended: number;
}

/** In the end the hub has the certificates that it had. */
export async function askedWhileCertificatesEnd(hub: HubStarted): Promise<Asked> {
  const certificates = join(hub.dir, 'cert');
  const aside = mkdtempSync(join(hub.dir, 'state', 'aside-'));
  const put = (from: string): void => {
    for (const file of SHORT_LIVED) {
      copyFileSync(join(from, file), join(aside, file));
      // At once: whoever reads it finds the former one or this.
      renameSync(join(aside, file), join(certificates, file));
    }
  };
  const former = join(aside, 'former');
  mkdirSync(former);
  for (const file of SHORT_LIVED) copyFileSync(join(certificates, file), join(former, file));
  const names = await namesOf(hub);
  const stop = new AbortController();
  const asked = Promise.all([
    gaps(stop.signal, () => writes(hub)),
    gaps(stop.signal, async () => {
      if (!(await version(portOf(hub, 'etcd'), hub, hub)).includes('etcdserver')) throw new Error('refused');
    }),
  ]);
  const shown = new Map<string, number>();
  try {
    for (let turn = 1; turn <= RENEWALS; turn += 1) {
      put(await shortLived(certificates, join(aside, String(turn)), names));
      await sleep(LIFETIME_MS / 2);
      const { serialNumber, validTo } = await served(hub.api);
      shown.set(serialNumber, Date.parse(validTo));
    }
  } finally {
    stop.abort();
    put(former);
  }
  const longest = Math.max(...(await asked));
  rmSync(aside, { recursive: true });
  return { longest, ended: [...shown.values()].filter((end) => end < Date.now()).length };
}

async function namesOf({ api }: HubStarted): Promise<string[]> {
  const { subjectAltName = '' } = await served(api);
  return subjectAltName.split(', ').map((name) => name.slice(name.indexOf(':') + 1));
}

/** By the hub's own authorities and keys. Returns the folder. */
async function shortLived(certificates: string, folder: string, hosts: readonly string[]): Promise<string> {
  mkdirSync(folder);
  const kept = readdirSync(certificates).filter((file) => /ca\.crt$|\.key$|\.pub$/.test(file));
  for (const file of kept) copyFileSync(join(certificates, file), join(folder, file));
  const pki = await openPki(folder, { name: 'cappstan-hub', lifetimeMs: LIFETIME_MS });
  await pki.issue('api-server', { name: 'kube-apiserver', hosts });
  await etcdGuard(await pki.another('etcd-ca'), 0);
  return folder;
}

/** By a new connection. */
async function writes({ kubeconfig }: HubStarted): Promise<void> {
  const kube = connect({ kubeconfig, deadlineMs: 2_000 });
  try {
    const object = { metadata: { namespace: 'default', name: `asked-${crypto.randomUUID()}` } };
    await kube.create(CONFIG_MAP, object);
    await kube.remove(CONFIG_MAP, object.metadata);
  } finally {
    await kube.close();
  }
}

/** The longest time without a success, until it is told to stop. */
async function gaps(stop: AbortSignal, ask: () => Promise<void>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  while (!stop.aborted) {
    const isAnswered = await ask().then(
      () => true,
      () => false,
    );
    longest = Math.max(longest, performance.now() - last);
    if (isAnswered) last = performance.now();
    await sleep(50);
  }
  return longest;
}
