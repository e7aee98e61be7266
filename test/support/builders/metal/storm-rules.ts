// What must hold in a storm after each write, each turn and at rest; each rule has the number of the
// invariant that it belongs to (docs/metal.md).
import { isDeepStrictEqual } from 'node:util';
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  ownerOf,
  troubleOf,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { RESERVED_FOR } from '../../../../crds/metal/labels.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Reserving, SipRef } from '../../../../workflows/metal/port.ts';
import type { ApiServer } from '../../simulator/api/api-server.ts';
import { RACK } from './storm-people.ts';

const OURS: ReadonlySet<string> = new Set([CLUSTER_NAMESPACE, CLUSTER_NAME, NODE_TYPE, RESERVED_FOR]);

export interface Held {
  readonly name: string;
  readonly role: string;
  readonly isOurs: boolean;
  readonly hasFailed: boolean;
}

export class StormRules {
  /** The first rule that was broken. */
  broken: string | null = null;
  readonly #server: ApiServer;
  /** Somebody has edited something while hub workers were reading. */
  #isEdited = false;
  /** Hosts that hub workers have reserved, and nobody has relabelled: for which role. */
  readonly #reserved = new Map<string, string>();
  /** The most that each role of each cluster wanted since the step began: `c0/Worker`. */
  readonly #wanted = new Map<string, number>();

  constructor(server: ApiServer) {
    this.#server = server;
    server.onWrite(({ plural, before, after, by }) => {
      if (plural === SIP_CLUSTER.plural && after !== null) this.#want(after as unknown as SipCluster);
      if (plural !== BARE_METAL_HOST.plural) return;
      if (by !== 'hub') this.#followEdit(before, after);
      else if (before !== null && after !== null) this.#check(before, after);
    });
  }

  begins(): void {
    this.#isEdited = false;
    this.#wanted.clear();
    for (const cluster of this.#server.all(SIP_CLUSTER) as unknown as SipCluster[]) this.#want(cluster);
  }

  edited(): void {
    this.#isEdited = true;
  }

  heldBy({ namespace, name }: SipRef): Held[] {
    return (this.#server.all(BARE_METAL_HOST) as BareMetalHost[]).flatMap((host) => {
      const owner = ownerOf(host);
      if (owner?.namespace !== namespace || owner.name !== name) return [];
      const isOurs = host.metadata.annotations?.[RESERVED_FOR] !== undefined;
      return [{ name: host.metadata.name, role: owner.role, isOurs, hasFailed: troubleOf(host) !== null }];
    });
  }

  /** What one turn of the authority came to. */
  served(ref: SipRef, before: readonly Held[], { outcome, hosts }: Reserving): void {
    if (this.#isEdited) return;
    const had = new Set(before.map(({ name }) => name));
    const gained = this.heldBy(ref).filter(({ name }) => !had.has(name));
    if (outcome !== 'Reserved' && gained.length > 0)
      this.#say(`4. ${outcome}, and ${ref.name} has got hosts`);
    if (outcome === 'Reserved' && gained.length !== hosts)
      this.#say(`5. ${ref.name} has got ${gained.length} hosts, and ${hosts} are said`);
  }

  wrongAtRest({ spec, metadata }: SipCluster, held: readonly Held[], reason: string): string | null {
    for (const [role, { count }] of Object.entries(spec.nodes ?? {})) {
      const wanted = (count?.active ?? 0) + (count?.standby ?? 0);
      const has = held.filter((one) => one.role === role);
      if (has.length > wanted) return `2. ${has.length} ${role}, and ${wanted} are wanted`;
      if (reason === 'Reserved' && has.length < wanted) return `${has.length} of ${wanted} ${role}`;
    }
    const isFair = reason === 'Reserved' || reason === 'Short' || metadata.deletionTimestamp !== undefined;
    return isFair ? null : 'it has not come to rest';
  }

  /** Something of a cluster is left on the host; what a person has labelled may stay. */
  isTouched({ metadata }: BareMetalHost): boolean {
    return metadata.annotations?.[RESERVED_FOR] !== undefined && ownerOf({ metadata }) !== null;
  }

  #want({ metadata, spec }: SipCluster): void {
    for (const [role, { count }] of Object.entries(spec.nodes ?? {})) {
      const key = `${metadata.name}/${role}`;
      const wanted = (count?.active ?? 0) + (count?.standby ?? 0);
      this.#wanted.set(key, Math.max(this.#wanted.get(key) ?? 0, wanted));
    }
  }

  #followEdit(before: BareMetalHost | null, after: BareMetalHost | null): void {
    const [was, is] = [before, after].map((host) => (host === null ? null : ownerOf(host)));
    if (!isDeepStrictEqual(was, is)) this.#reserved.delete((after ?? before)?.metadata.name ?? '');
  }

  #check(before: BareMetalHost, after: BareMetalHost): void {
    const [was, is] = [ownerOf(before), ownerOf(after)];
    if (!isDeepStrictEqual(theirs(before), theirs(after)))
      this.#say(`6. ${after.metadata.name} has lost something of somebody else`);
    if (was !== null && is !== null && !isDeepStrictEqual(was, is))
      this.#say(`1. ${after.metadata.name} goes from ${was.name} to ${is.name}`);
    if (is === null) this.#reserved.delete(after.metadata.name);
    if (was !== null || is === null) return;
    if (troubleOf(before) !== null) this.#say(`${after.metadata.name} is reserved and was not free`);
    this.#checkRole(after, `${is.name}/${is.role}`);
    this.#reserved.set(after.metadata.name, `${is.name}/${is.role}`);
  }

  #checkRole(host: BareMetalHost, of: string): void {
    const fellows = (this.#server.all(BARE_METAL_HOST) as BareMetalHost[]).filter((one) => {
      const owner = ownerOf(one);
      return one.metadata.name !== host.metadata.name && `${owner?.name}/${owner?.role}` === of;
    });
    const ours = fellows.filter(({ metadata }) => this.#reserved.get(metadata.name) === of);
    if (ours.length + 1 > (this.#wanted.get(of) ?? 0) + 1) this.#say(`2. ${of} has ${ours.length + 1}`);
    const isAlone = fellows.every(({ metadata }) => metadata.labels?.[RACK] !== host.metadata.labels?.[RACK]);
    if (of.endsWith('ControlPlane') && !isAlone && !this.#isEdited)
      this.#say(`3. ${of} has two in one rack, ${host.metadata.name}`);
  }

  #say(what: string): void {
    this.broken ??= what;
  }
}

/** All of a host that is not ours. */
function theirs({ metadata, spec, status }: BareMetalHost): unknown {
  const not = (texts: Readonly<Record<string, string>> = {}): unknown =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => !OURS.has(key)));
  const { labels, annotations, finalizers = [], uid } = metadata;
  return [uid, not(labels), not(annotations), finalizers, spec, status];
}
