// The command line of `cappstan base`, and the flags of it that `cappstan join --with-base` has as well.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isClusterName } from '../../../crds/join/join-line.ts';
import { flagsIn } from '../../local/given.ts';
import { JoinRefused } from '../refused.ts';
import type { BaseWishes } from './base.ts';
import { isPartName, partOf, PART_NAMES, type PartName } from './parts.ts';

export type BaseCommand =
  | { readonly what: 'help' }
  | { readonly what: 'list' }
  | { readonly what: 'print'; readonly wishes: BaseWishes }
  | {
      readonly what: 'bundle';
      /** On the hub. */
      readonly namespace: string;
      readonly sites: readonly string[];
      readonly wishes: BaseWishes;
    }
  | {
      readonly what: 'base';
      readonly kubeconfig: string;
      readonly isDryRun: boolean;
      readonly wishes: BaseWishes;
    };

/** Of both commands. */
export const BASE_OPTIONS = {
  'take-over': { type: 'string' },
  manifests: { type: 'string' },
  domain: { type: 'string' },
  features: { type: 'string' },
  values: { type: 'string' },
} as const;

export const HELP = `Usage: cappstan base --kubeconfig <file> [flags]
       cappstan base --print [flags]
       cappstan base --bundle <namespace> --sites <names> [flags]
       cappstan base --list

Brings what a site needs of others before Capps run there: Knative Serving with Kourier and the settings that Cappstan
needs, and by choice more. It says first what is there. What somebody else has installed stays as it is.

  --kubeconfig <file>   of the site, with all rights on it
  --parts <names>       ${PART_NAMES.join(', ')}; knative if not given
  --domain <domain>     of the URLs of apps, such as apps.example
  --features <keys>     more of Knative's config-features to switch on, such as kubernetes.podspec-tolerations
  --take-over <names>   parts that are replaced though somebody else has installed them
  --values <files>      values of the charts of logging, nfs and dns, as dns=dns.yaml,nfs=nfs.yaml; also what is secret
  --manifests <place>   a folder, or the address of a mirror, with the files that --list names, and packed charts
  --dry-run             check everything, say what would come, and write nothing
  --print               write the manifests to standard output instead, for kubectl apply or a repository
  --bundle <namespace>  write a Bundle for each part to standard output instead, for kubectl apply on the hub
  --sites <names>       for which sites the Bundles are
  --list                the files, where they are from, and their digests
  --help                this text`;

/** Throws JoinRefused. */
export function baseAskedBy(args: readonly string[]): BaseCommand {
  const { values, positionals } = flagsIn(args, OPTIONS, (said) =>
    refused(`${said} See cappstan base --help.`),
  );
  if (values.help === true) return { what: 'help' };
  if (values.list === true) return { what: 'list' };
  if (positionals.length > 0) throw refused('cappstan base takes flags alone. See cappstan base --help.');
  const wishes = wishesOf(values.parts, values);
  const { bundle, kubeconfig } = values;
  if (values.print === true || bundle !== undefined) refuseCharts(wishes.parts);
  if (values.print === true) return { what: 'print', wishes };
  if (bundle !== undefined)
    return { what: 'bundle', namespace: bundle, sites: sitesOf(bundle, values.sites), wishes };
  if (kubeconfig === undefined)
    throw refused('Say where the kubeconfig of the site is: --kubeconfig <file>.');
  return {
    what: 'base',
    kubeconfig: resolve(kubeconfig),
    isDryRun: values['dry-run'] === true,
    wishes,
  };
}

function sitesOf(namespace: string, sites: string | undefined): readonly string[] {
  if (!isClusterName(namespace))
    throw refused('--bundle wants the namespace of the Bundles on the hub, such as platform.');
  const names = listed(sites ?? '');
  if (names.length === 0 || !names.every(isClusterName))
    throw refused('Say for which sites the Bundles are, as the hub calls them: --sites shop-7,shop-8.');
  return names;
}

const OPTIONS = {
  ...BASE_OPTIONS,
  kubeconfig: { type: 'string' },
  parts: { type: 'string' },
  'dry-run': { type: 'boolean' },
  print: { type: 'boolean' },
  bundle: { type: 'string' },
  sites: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Given = Partial<Record<keyof typeof BASE_OPTIONS, string>>;

/** `parts` is a list with commas; without one it is Knative. Throws JoinRefused. */
export function wishesOf(parts: string | undefined, given: Given): BaseWishes {
  const { domain = null, manifests = null, features = '', values = '' } = given;
  if (domain !== null && !/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(domain))
    throw refused('--domain wants a domain, such as apps.example.');
  const keys = listed(features);
  const odd = keys.find((key) => !/^(kubernetes|multi)[a-z.-]{1,80}$/.test(key));
  if (odd !== undefined)
    throw refused(`--features: ${odd} is no key of config-features, such as kubernetes.podspec-tolerations.`);
  const wanted = named('--parts', parts ?? 'knative');
  const takeOver = named('--take-over', given['take-over'] ?? '');
  const beside = takeOver.find((part) => !wanted.includes(part));
  if (beside !== undefined)
    throw refused(`--take-over: ${beside} is not among the parts that you ask for (${wanted.join(', ')}).`);
  const chart = takeOver.find((part) => partOf(part).chart !== null);
  if (chart !== undefined)
    throw refused(
      `--take-over: ${chart} is a chart, and what somebody else has installed of it is left as it is.`,
    );
  const isPlace = manifests === null || /^https?:\/\//.test(manifests);
  return {
    parts: wanted,
    takeOver,
    domain,
    features: keys,
    manifests: isPlace ? manifests : resolve(manifests),
    values: valuesOf(values, wanted),
  };
}

function valuesOf(text: string, wanted: readonly PartName[]): BaseWishes['values'] {
  const pairs = listed(text).map((one): readonly [PartName, string] => {
    const [name = '', file = ''] = one.split(/=(.*)/s);
    const [part] = named('--values', name);
    if (part === undefined || file === '')
      throw refused('--values wants the file with the values of a part, such as dns=dns.yaml.');
    if (partOf(part).chart === null)
      throw refused(`--values: ${part} has no chart. Choose from ${OF_CHARTS.join(', ')}.`);
    if (!wanted.includes(part)) throw refused(`--values: ${part} is not among the parts that you ask for.`);
    if (!existsSync(file)) throw refused(`--values: there is no file ${file} for ${part}.`);
    return [part, resolve(file)];
  });
  return Object.fromEntries(pairs);
}

const OF_CHARTS = PART_NAMES.filter((name) => partOf(name).chart !== null);

function named(flag: string, text: string): readonly PartName[] {
  return listed(text).map((name) => {
    if (isPartName(name)) return name;
    throw refused(`${flag}: there is no part ${name}. Choose from ${PART_NAMES.join(', ')}.`);
  });
}

function listed(text: string): string[] {
  return [...new Set(text.split(',').filter((one) => one !== ''))];
}

function refuseCharts(parts: readonly PartName[]): void {
  for (const part of parts) {
    const { brings, command } = partOf(part);
    if (brings === null)
      throw refused(
        `${part} is a chart, and has no manifests that this command could write. Run: ${command}`,
      );
  }
}

function refused(sentence: string): JoinRefused {
  return new JoinRefused([sentence]);
}
