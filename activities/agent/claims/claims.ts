// The claims that an agent publishes of its site, from what is there and what its administrators have
// configured. Pure.
import {
  AMD64_CLAIM,
  ARCH_CLAIM,
  ARM64_CLAIM,
  CAPPS_EXECUTOR_CLAIM,
  FORMER_CONFIG_CLAIM,
  GPU_CLAIM,
  ingressName,
  INGRESS_CLAIM,
  KNATIVE_CLAIM,
  NODES_CLAIM,
  SITE_OPERATOR_CLAIM,
  STORAGE_CLASSES_CLAIM,
  type AgentClaim,
} from '../../../crds/ocm/cluster-claim.ts';
import { DNS_CONFIG } from '../../../crds/former-config.ts';
import type { ConfigMap, Node } from '../../../crds/kubernetes/core.ts';
import { amountOf } from '../../../crds/kubernetes/quantity.ts';
import type { KubeObject } from '../../../kube/resource.ts';

/** A CappConfig, whatever some version of its CRD let in. */
export type Configured = KubeObject & { readonly spec?: unknown };

/** What the agent has read. Undefined is what it cannot know: claims of that stay as they are. */
export interface ClaimedFacts {
  /** The CappConfig that counts, or null. */
  readonly config: Configured | null;
  /** The ConfigMaps that count where there is none. */
  readonly older: readonly ConfigMap[] | undefined;
  readonly nodes: readonly Node[] | undefined;
  /** Null if the site does not serve it, or does not say which one. */
  readonly knative: string | null | undefined;
  /** Null where another operator runs the Capps. */
  readonly siteOperator: string | null;
  /** `namespace/name` of the account as which works of Capps can be applied; null if there is none. */
  readonly cappsExecutor: string | null | undefined;
  readonly storageClasses: readonly string[] | undefined;
}

/** Claim → value; null for a claim that is not to be, undefined for one that stays as it is. */
export type Claims = Readonly<Record<AgentClaim, string | null | undefined>>;

export function claimsOf(facts: ClaimedFacts): Claims {
  const { config, older, nodes, knative, siteOperator, cappsExecutor, storageClasses } = facts;
  const of = <T>(given: T | undefined, value: (known: T) => string | null): string | null | undefined =>
    given === undefined ? undefined : value(given);
  return {
    [INGRESS_CLAIM]: ingressOf(facts),
    [NODES_CLAIM]: of(nodes, ({ length }) => String(length)),
    [ARCH_CLAIM]: of(nodes, (all) => joined(all.map(archOf))),
    [AMD64_CLAIM]: of(nodes, (all) => countOf(all, 'amd64')),
    [ARM64_CLAIM]: of(nodes, (all) => countOf(all, 'arm64')),
    [GPU_CLAIM]: of(nodes, gpusOf),
    [KNATIVE_CLAIM]: of(knative, (version) => version),
    [SITE_OPERATOR_CLAIM]: siteOperator,
    [CAPPS_EXECUTOR_CLAIM]: cappsExecutor,
    [STORAGE_CLASSES_CLAIM]: of(storageClasses, joined),
    [FORMER_CONFIG_CLAIM]: of(older, (all) =>
      config === null ? joined(all.map(({ metadata }) => metadata.name)) : null,
    ),
  };
}

/** Undefined where it cannot be known whether a ConfigMap says it. */
function ingressOf({ config, older }: ClaimedFacts): string | null | undefined {
  if (config === null && older === undefined) return undefined;
  const dnsConfig = older?.find(({ metadata }) => metadata.name === DNS_CONFIG.name);
  const cname =
    config === null ? dnsConfig?.data?.['cname'] : inside(inside(config.spec, 'dnsConfig'), 'cname');
  return typeof cname === 'string' ? ingressName(cname) : null;
}

function archOf({ status }: Node): string {
  return status?.nodeInfo?.architecture ?? '';
}

function countOf(nodes: readonly Node[], architecture: string): string | null {
  const count = nodes.filter((node) => archOf(node) === architecture).length;
  return count === 0 ? null : String(count);
}

/** Vendor → the resources by which its device plugins count. */
const GPUS: Readonly<Record<string, readonly string[]>> = {
  amd: ['amd.com/gpu'],
  intel: ['gpu.intel.com/i915', 'gpu.intel.com/xe'],
  nvidia: ['nvidia.com/gpu'],
};

/** By capacity: one that is in use, or broken, is there all the same. */
function gpusOf(nodes: readonly Node[]): string | null {
  const counted = Object.entries(GPUS).flatMap(([vendor, resources]) => {
    const amounts = nodes.flatMap(({ status }) =>
      resources.map((name) => amountOf(status?.capacity?.[name] ?? 0)),
    );
    const count = amounts.reduce((sum, amount) => sum + amount, 0);
    return count === 0 ? [] : [`${vendor}:${count}`];
  });
  return joined(counted);
}

/** What a ClusterClaim may hold. */
const LONGEST = 1024;

/** Each once and in order, as many as a claim can hold; null for none. */
function joined(names: readonly string[]): string | null {
  const sorted = [...new Set(names)].filter((name) => name !== '').toSorted();
  const text = sorted.reduce((before, name) => {
    const longer = before === '' ? name : `${before}+${name}`;
    return longer.length > LONGEST ? before : longer;
  }, '');
  return text === '' ? null : text;
}

function inside(given: unknown, name: string): unknown {
  const isObject = typeof given === 'object' && given !== null;
  return isObject ? (given as Readonly<Record<string, unknown>>)[name] : undefined;
}
