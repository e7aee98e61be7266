// The ConfigMaps by which a site was configured before the CappConfig: their fields, and what is said of
// them. Pure.
import { CAPP_CONFIG_KEYS } from '../../crds/capp-config.ts';
import { AUTOSCALE_DEFAULTS, DNS_CONFIG } from '../../crds/former-config.ts';
import type { ConfigMap } from '../../crds/kubernetes/core.ts';
import { UnknownFields } from './fields.ts';

/** A ConfigMap that a CappConfig supersedes, and what to tell of it. */
export interface Superseded {
  readonly object: ConfigMap;
  readonly message: string;
}

/** Each has the fields that the part of a CappConfig has. */
const PARTS = [
  {
    key: AUTOSCALE_DEFAULTS,
    part: 'autoscaleConfig',
    names: 'activationScale concurrency cpu memory rps minReplicasLimit maxReplicasLimit maxScaleDelay'.split(
      ' ',
    ),
  },
  { key: DNS_CONFIG, part: 'dnsConfig', names: ['cname', 'issuer', 'provider', 'zone'] },
] as const;

type Key = (typeof PARTS)[number]['key'];

export function formerFields(
  all: readonly ConfigMap[],
  problems: string[],
): { readonly autoscale?: UnknownFields; readonly dns?: UnknownFields } {
  const fieldsOf = (key: Key): UnknownFields | undefined => {
    const found = all.find((one) => isOf(one, key));
    return found === undefined
      ? undefined
      : new UnknownFields(found.data ?? {}, `ConfigMap ${key.namespace}/${key.name}: data`, problems);
  };
  const [autoscale, dns] = [fieldsOf(AUTOSCALE_DEFAULTS), fieldsOf(DNS_CONFIG)];
  autoscale?.only(PARTS[0].names);
  dns?.only(PARTS[1].names);
  return { ...(autoscale === undefined ? {} : { autoscale }), ...(dns === undefined ? {} : { dns }) };
}

export function supersededBy(all: readonly ConfigMap[], hasCappConfig: boolean): readonly Superseded[] {
  return PARTS.flatMap(({ key, part }) => {
    const object = all.find((one) => isOf(one, key));
    return object === undefined ? [] : [{ object, message: messageOf(key, part, hasCappConfig) }];
  });
}

function isOf({ metadata }: ConfigMap, key: Key): boolean {
  return metadata.namespace === key.namespace && metadata.name === key.name;
}

function messageOf({ namespace, name }: Key, part: string, hasCappConfig: boolean): string {
  const what = `ConfigMap ${namespace}/${name}`;
  const [place] = CAPP_CONFIG_KEYS;
  return hasCappConfig
    ? `${what} has no effect, because the site has a CappConfig: delete it.`
    : `${what} is superseded, and counts only while the site has no CappConfig: write its values into spec.${part} of the CappConfig ${place?.name} in namespace ${place?.namespace}, and delete it.`;
}
