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
