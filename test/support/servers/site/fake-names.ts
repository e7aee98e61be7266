// Stand-ins for end-to-end tests of names: cert-manager's issuer on sites, and the provider of DNS records on
// the hub with the DNS that it writes. Neither can be downloaded where these tests run.
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CERTIFICATE, type CertificateObject } from '../../../../crds/kubernetes/certificate.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { RECORDS, type CnameRecord } from '../../../../crds/dns-record.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf } from '../../../../kube/resource.ts';

const EVERY_MS = 100;

export interface Issuer {
  /** The authority that signs, as PEM. */
  readonly ca: Buffer;
  /** Sites that issue nothing for now. */
  readonly paused: Set<string>;
  stop(): Promise<void>;
}

type Named<T> = T & { readonly metadata: { readonly name: string } };

/** Issues each Certificate on these sites: writes its Secret, and says that it is Ready. */
export async function fakeIssuer(sites: ReadonlyMap<string, Kube>): Promise<Issuer> {
  const dir = mkdtempSync(join(tmpdir(), 'issuer-'));
  const pki = await openPki(dir);
  const paused = new Set<string>();
  const look = async (): Promise<void> => {
    for (const [site, kube] of sites) {
      if (paused.has(site)) continue;
      const { items } = await kube.list<Named<CertificateObject>>(CERTIFICATE);
      for (const one of items) if (!isIssued(one)) await issue(kube, one);
    }
  };
  const issue = async (kube: Kube, one: Named<CertificateObject>): Promise<void> => {
    const { namespace = '', name, generation } = one.metadata;
    const pair = await pki.issue(`${namespace}-${name}`, { name, hosts: [name] });
    const read = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
    const data = { 'tls.crt': await read(pair.cert), 'tls.key': await read(pair.key) };
    const metadata = { namespace, name: String(one.spec?.['secretName']) };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', data };
    await kube.apply(SECRET, secret, { fieldManager: 'fake-issuer', force: true });
    const condition = { type: 'Ready', status: 'True', reason: 'Ready', observedGeneration: generation };
    const status = { conditions: [condition] };
    await kube.patch(CERTIFICATE, keyOf(one), { status }, { subresource: 'status' });
  };
  const stop = repeatedly(look);
  const ca = await readFile(pki.authority.cert);
  return { ca, paused, stop: () => stop().then(() => rmSync(dir, { recursive: true, force: true })) };
}

function isIssued({ metadata, status }: CertificateObject): boolean {
  return status?.conditions?.some((one) => one.observedGeneration === metadata.generation) === true;
}

export interface Names {
  /** Name → target, as DNS has it now. */
  readonly answers: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** Brings each CNAMERecord of the hub to DNS, and says so in its status, as provider-dns-v2 v1.0.2 does. */
export function fakeDns(hub: Kube): Names {
  const resource = RECORDS.Namespaced;
  const answers = new Map<string, string>();
  const look = async (): Promise<void> => {
    const { items } = await hub.list<Named<CnameRecord>>(resource);
    const names = new Set(items.map(({ metadata }) => metadata.name));
    for (const name of answers.keys()) if (!names.has(name)) answers.delete(name);
    for (const one of items) {
      const { cname = '' } = one.spec?.forProvider ?? {};
      answers.set(one.metadata.name, cname.replace(/\.$/, ''));
      if (one.status?.atProvider?.cname === cname) continue;
      const conditions = ['Synced', 'Ready'].map((type) => ({ type, status: 'True', reason: 'Available' }));
      const status = { atProvider: one.spec?.forProvider, conditions };
      await hub.patch(resource, keyOf(one), { status }, { subresource: 'status' });
    }
  };
  return { answers, stop: repeatedly(look) };
}

/** What fails is done again: objects come and go meanwhile. */
function repeatedly(look: () => Promise<void>): () => Promise<void> {
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look().catch(() => undefined);
      await pause(EVERY_MS);
    }
  })();
  return async () => {
    over.abort();
    await looking;
  };
}
