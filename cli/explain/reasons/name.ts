// Advice for reasons about the hostname of a Capp: what a move waits for, and the DNS record that the hub
// keeps.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { EDIT, LOOK, NOTHING, type Advice } from './advice.ts';

export const NAMES = {
  AwaitsHostname: {
    words:
      'The new copy is Ready, and its site does not answer for the hostname yet: users stay where they are.',
    remedy:
      'Wait; if the message does not change, look at the Certificate and the DomainMapping on the new site, or force the move.',
    command: 'kubectl capp move {name} <new site> --force -n {namespace}',
  },
  AwaitsRecord: {
    words: 'The new copy serves, and DNS may still lead users to the old one, which stays until then.',
    remedy: 'Wait; if the record is not synced, look at the CNAMERecord on the hub and its provider.',
    command: 'kubectl -n {namespace} get cnamerecords.record.dns-v2.m.crossplane.io',
  },
  RecordSynced: {
    words: 'DNS leads the hostname to the site.',
    remedy: NOTHING,
    command: LOOK,
  },
  RecordPending: {
    words: 'DNS does not have the record of the hostname as it should be yet.',
    remedy: 'Wait; if this lasts, look at the CNAMERecord on the hub and its provider.',
    command: 'kubectl -n {namespace} get cnamerecords.record.dns-v2.m.crossplane.io',
  },
  NoIngressName: {
    words: 'The site does not say to which name DNS records lead.',
    remedy: 'Whoever runs the site sets dnsConfig.cname in its CappConfig.',
    command: 'kubectl get managedcluster {site} -o yaml',
  },
  TargetRefused: {
    words: 'The site says a name to which no DNS record may lead.',
    remedy: 'Whoever runs the hub adds it to dns.allowedTargets of the RCSConfig, if it is right.',
    command: 'kubectl get managedcluster {site} -o yaml',
  },
  RecordImpossible: {
    words: 'DNS allows no CNAME for this hostname.',
    remedy: 'Choose another hostname.',
    command: EDIT,
  },
} as const satisfies Partial<Record<HubReason, Advice>>;
