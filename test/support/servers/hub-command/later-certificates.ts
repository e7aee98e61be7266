// Certificates of a running hub that somebody else than the API server and etcd shows: the gateway's, and
// that of OCM's webhook. They end while they are asked for, by new connections.
import { X509Certificate } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { GATEWAY_CERTIFICATE } from '../../../../crds/hub/agent-identity.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { GATEWAY_TIMES } from '../../../../gateway/times.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { endOf, hostsOf, issue } from '../../../../tls/certificate.ts';
import { TLS_TIMES } from '../../../../tls/times.ts';
import { longestGap } from './asked.ts';
import { gatewaySays, type AgentAtDoor } from './gateway-door.ts';
import { portOf, served } from './hub-doors.ts';
import type { HubStarted } from './started-hub.ts';

const DAY_MS = 86_400_000;
/** The gateway looks for the first time a minute after its start, and takes some seconds to start. */
const GATEWAY_ENDS_IN_MS = GATEWAY_TIMES.certificate.ms + 13_000;
/** Longer than anybody may be without an answer: a gateway that shows what has ended is found out. */
const ASKED_ON_MS = 7_000;
/** OCM's webhook looks each ten seconds: it has taken each certificate long before the former one ends. */
const WEBHOOK_LIFETIME_MS = 36_000;
const WEBHOOK_EVERY_MS = 15_000;
const WEBHOOK_RENEWALS = 4;
/** A site may ask the gateway so often. */
const GATEWAY_EVERY_MS = 500;

export interface AskedLonger {
  /** The longest time between two answers, in milliseconds. */
  readonly longest: number;
  /** Certificates that have been shown and have ended since. */
  readonly ended: number;
}

/**
 * As if the gateway's next certificate had been issued eight days ago, and what it serves were about to end.
 * Resolves to the end, in milliseconds since the epoch, when the gateway serves that. It is another process
 * then, which takes the next certificate as it starts, and serves it from its first look on.
 */
export async function gatewayAboutToEnd(hub: HubStarted): Promise<number> {
  for (;;) {
    const end = await startedWithEnding(hub);
    // On a busy machine it may have started so slowly that its first look would come too late.
    if (Date.now() + GATEWAY_TIMES.certificate.ms + 2_000 < end) return end;
  }
}

async function startedWithEnding(hub: HubStarted): Promise<number> {
  const key = { namespace: 'cappstan-system', name: GATEWAY_CERTIFICATE };
  const { data = {} } = (await hub.kube.get<Secret>(SECRET, key)) ?? {};
  const hosts = hostsOf(Buffer.from(data['tls.crt'] ?? '', 'base64').toString());
  const now = Date.now();
  const next = await issue(hosts, now - 8 * DAY_MS);
  const ending = await issue(hosts, now - TLS_TIMES.lifetime.ms + GATEWAY_ENDS_IN_MS);
  const texts = {
    'tls.crt': ending.cert,
    'tls.key': ending.key,
    'next.crt': next.cert,
    'next.key': next.key,
    'ca.crt': next.authority + ending.authority,
  };
  const coded = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]);
  // It must not look in between: the next process would serve the next certificate at once.
  const pid = await hub.pidOf('gateway');
  process.kill(pid, 'SIGSTOP');
  await hub.kube.patch(SECRET, key, { data: Object.fromEntries(coded) as Record<string, string> });
  process.kill(pid, 'SIGKILL');
  const { serialNumber } = new X509Certificate(ending.cert);
  await eventually(async () =>
    (await served(hub.gateway)).serialNumber === serialNumber ? true : undefined,
  );
  return endOf(ending.cert);
}

/** Until that end is over for some seconds. `agent` trusts what is served before it, and after it. */
export async function gatewayAskedUntil(
  end: number,
  hub: HubStarted,
  agent: AgentAtDoor,
): Promise<AskedLonger> {
  const stop = new AbortController();
  const shown = new Map<string, number>();
  const asked = longestGap(
    stop.signal,
    async () => {
      const { serialNumber, validTo } = await served(hub.gateway);
      const said = await gatewaySays(hub, agent);
      if (said !== 'OK') throw new Error(`The gateway says ${said}.`);
      shown.set(serialNumber, Date.parse(validTo));
    },
    GATEWAY_EVERY_MS,
  );
  await sleep(end + ASKED_ON_MS - Date.now());
  stop.abort();
  return { longest: await asked, ended: endedOf(shown) };
}

/** In the end the hub has the certificate that it had. */
export async function webhookAskedAtTheEnd(hub: HubStarted): Promise<AskedLonger> {
  const file = join(hub.dir, 'cert', 'ocm-webhook', 'tls.crt');
  const former = readFileSync(file);
  const aside = mkdtempSync(join(hub.dir, 'state', 'webhook-'));
  const name = 'asked-often';
  await hub.kube.create(MANAGED_CLUSTER, { metadata: { name }, spec: {} } as never);
  const stop = new AbortController();
  const shown = new Map<string, number>();
  const asked = longestGap(stop.signal, async () => {
    const { serialNumber, valid_to: end } = await trusted(hub, portOf(hub, 'ocm-webhook'));
    shown.set(serialNumber, Date.parse(end));
    // The API server asks it about each write.
    const labels = { asked: crypto.randomUUID() };
    await hub.kube.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } });
  });
  try {
    for (let turn = 0; turn < WEBHOOK_RENEWALS; turn += 1) {
      await shortLived(hub, join(aside, String(turn)), file);
      await sleep(WEBHOOK_EVERY_MS);
    }
  } finally {
    stop.abort();
    writeFileSync(join(aside, 'former'), former, { mode: 0o600 });
    renameSync(join(aside, 'former'), file);
  }
  const longest = await asked;
  rmSync(aside, { recursive: true });
  return { longest, ended: endedOf(shown) };
}

/** By the hub's own authority and the same key, at once in its place. */
async function shortLived({ dir }: HubStarted, folder: string, file: string): Promise<void> {
  mkdirSync(join(folder, 'ocm-webhook'), { recursive: true });
  for (const one of ['ca.crt', 'ca.key', 'ocm-webhook/tls.key'])
    copyFileSync(join(dir, 'cert', one), join(folder, one));
  const pki = await openPki(folder, { name: 'cappstan-hub', lifetimeMs: WEBHOOK_LIFETIME_MS });
  const { cert } = await pki.issue('ocm-webhook/tls', { name: 'ocm-webhook', hosts: ['127.0.0.1'] });
  renameSync(cert, file);
}

/** What it shows to who trusts the hub's authority. Rejects where that is not valid. */
function trusted({ dir }: HubStarted, port: number): Promise<DetailedPeerCertificate> {
  const ca = readFileSync(join(dir, 'cert', 'ca.crt'));
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca }, () => {
      const certificate = socket.getPeerCertificate(true);
      socket.destroy();
      resolve(certificate);
    });
    socket.once('error', reject);
  });
}

function endedOf(shown: ReadonlyMap<string, number>): number {
  return [...shown.values()].filter((end) => end < Date.now()).length;
}
