// DNS of the simulated world, and the provider that brings records to it.
import { RECORDS, type CnameRecord } from '../../../../crds/dns-record.ts';
import type { DnsConfig } from '../../../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { World } from './world.ts';

export const DNS: DnsConfig = {
  zone: 'zone.example.',
  provider: 'dns',
  ttlSeconds: 60,
  allowedTargets: ['*.ingress.example'],
};

export function ingressOf(site: string): string {
  return `${site}.ingress.example`;
}

export function recordOf(capp: string): string {
  return `${capp}.zone.example`;
}

/** What resolvers are told, and since when. */
export interface Answer {
  readonly target: string;
  readonly since: number;
}

const RESOURCE = RECORDS.Namespaced;

export class Dns {
  /** By name. */
  readonly answers = new Map<string, Answer>();
  /** By Capp: the site to which DNS led before. */
  readonly ledBefore = new Map<string, string>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    world.server.onWrite(({ plural, by, before, after }) => {
      if (plural === 'capps' && before !== null && before.metadata.uid !== after?.metadata.uid)
        this.#collect(before.metadata.name);
      const { name = '', namespace = null } = (after ?? before)?.metadata ?? {};
      if (plural !== RESOURCE.plural || by === 'provider') return;
      const slow = world.slips(0.2) ? 400_000 : 5_000;
      world.clock.after(world.between(50, slow), () => this.#bring({ namespace, name }));
    });
  }

  /** The record goes with its Capp. */
  #collect(capp: string): void {
    for (const { metadata } of this.#world.server.all(RESOURCE))
      if (metadata.name === recordOf(capp))
        this.#world.server.put(
          RESOURCE,
          { namespace: metadata.namespace ?? null, name: metadata.name },
          () => null,
          'provider',
        );
    this.answers.delete(recordOf(capp));
  }

  #bring(key: { readonly namespace: string | null; readonly name: string }): void {
    const { server } = this.#world;
    const capp = key.name.split('.')[0] ?? '';
    const record = server.read(RESOURCE, key) as (CnameRecord & KubeObject) | null;
    if (record === null) return void this.answers.delete(key.name);
    const [owner] = record.metadata.ownerReferences ?? [];
    // Kubernetes collects what belongs to a Capp that is gone, even if it was made since.
    if (owner?.uid !== this.#world.read(capp)?.metadata.uid) return this.#collect(capp);
    this.#answer(key.name, record.spec?.forProvider?.cname?.replace(/\.$/, '') ?? '');
    const conditions = ['Synced', 'Ready'].map((type) => ({ type, status: 'True', reason: 'Available' }));
    const status = { conditions, atProvider: { ...record.spec?.forProvider } };
    server.put(
      RESOURCE,
      key,
      (before) => (before === null ? null : ({ ...before, status } as KubeObject)),
      'provider',
    );
  }

  #answer(name: string, target: string): void {
    const before = this.answers.get(name)?.target;
    if (before === target) return;
    if (before !== undefined) this.ledBefore.set(name.split('.')[0] ?? '', before.split('.')[0] ?? '');
    this.answers.set(name, { target, since: this.#world.clock.now });
    this.#world.tell(`DNS leads ${name} to ${target}`);
  }
}
