// Why the reader does not get to a site, in one sentence each. Pure.
import { READER_ACCOUNT } from '../names.ts';

export type Missing = 'NoTunnel' | 'NoToken' | 'NoAnswer' | 'TokenRefused' | 'MayNot' | 'NotOurs';

const SAID: Readonly<Record<Missing, string>> = {
  NoTunnel: 'cluster-proxy is not installed there',
  NoToken: `managed-serviceaccount has made no token of ManagedServiceAccount ${READER_ACCOUNT} there`,
  NoAnswer: 'its tunnel does not answer',
  TokenRefused: `it does not accept the token of ManagedServiceAccount ${READER_ACCOUNT}`,
  MayNot: `ServiceAccount ${READER_ACCOUNT} may not read Pods and logs there`,
  NotOurs: 'what it has under this name was not shipped by this hub for this Capp',
};

export function noWay(site: string, missing: Missing): string {
  return `no direct way to ${site}: ${SAID[missing]}; everything else works (docs/logs.md)`;
}

export type UsageMissing = 'NoApi' | 'MayNot' | 'Silent' | 'Unreadable';

const USAGE_SAID: Readonly<Record<UsageMissing, string>> = {
  NoApi: 'it has no metrics API (metrics.k8s.io): its admin can install metrics-server',
  MayNot: `ServiceAccount ${READER_ACCOUNT} may not read metrics there: Cappstan's add-on there is older than kubectl capp top`,
  Silent: 'its metrics API does not answer: its admin should look at the Pods of metrics-server',
  Unreadable: 'its metrics API does not answer as one does',
};

/** Why nobody knows what Pods use on a site. */
export function noUsage(site: string, missing: UsageMissing): string {
  return `what Pods use on ${site} is not known: ${USAGE_SAID[missing]}`;
}
