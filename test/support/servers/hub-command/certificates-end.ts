// Certificates of a running hub that end within seconds, while somebody asks its API server and its etcd
// again and again. What the hub does each hour is done here every few seconds: the files are written again.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { etcdGuard } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { longestGap, writesTo } from './asked.ts';
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
    longestGap(stop.signal, () => writesTo(hub)),
    longestGap(stop.signal, async () => {
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
