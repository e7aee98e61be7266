// Faults in how a hub of its own is started.
import type { Mutant } from './mutant.ts';

const CONFIG = { seenBy: ['test/unit/deploy/hub/config.test.ts'] };
const DIRECTORY = { seenBy: ['test/unit/deploy/hub/data-directory.test.ts'] };
const PARTS = { seenBy: ['test/unit/deploy/hub/parts.test.ts'] };
const PKI = { seenBy: ['test/unit/local/pki.test.ts'] };

export const HUBS: readonly Mutant[] = [
  {
    ...CONFIG,
    breaks: 'a certificate without its key has the hub make an authority without a word',
    file: 'deploy/hub/config/config.ts',
    inside: 'authorityOf',
    text: 'caFile === undefined && caKeyFile === undefined',
    becomes: 'caFile === undefined || caKeyFile === undefined',
  },
  {
    ...CONFIG,
    breaks: 'certificates for an etcd without TLS are dropped without a word',
    file: 'deploy/hub/config/etcd.ts',
    inside: 'etcdOf',
    text: 'if (plain.length > 0) warnOfPlain',
    becomes: 'if (plain.length > 9) warnOfPlain',
  },
  {
    ...DIRECTORY,
    breaks: 'a hub starts with another authority than its sites know',
    file: 'deploy/hub/data-directory.ts',
    inside: 'differences',
    text: 'made.authority === null || made.authority === wanted.authority',
    becomes: 'made.authority === null || made.authority !== wanted.authority',
  },
  {
    ...DIRECTORY,
    breaks: 'a hub that has lost its key gets another, which reads nothing of what is stored',
    file: 'deploy/hub/at-rest.ts',
    inside: 'atRestFlags',
    text: 'if (isOld)',
    becomes: 'if (!isOld && isOld)',
  },
  {
    ...PARTS,
    breaks: 'OCM accepts every cluster on a hub',
    file: 'deploy/local/ocm/hub.ts',
    inside: 'ocmHub',
    text: 'ManagedClusterAutoApproval=${accepts !== undefined}',
    becomes: 'ManagedClusterAutoApproval=${accepts === undefined}',
  },
  {
    ...PARTS,
    breaks: 'a hub’s etcd lets in whoever reaches it',
    file: 'deploy/local/kubernetes/etcd.ts',
    inside: 'guardedEtcd',
    text: '`--${prefix}client-cert-auth`,',
    becomes: '',
  },
  {
    ...PKI,
    breaks: 'a certificate is never written again',
    file: 'deploy/local/kubernetes/signer.ts',
    inside: 'isGood',
    text: 'to - Date.now() > (to - from) / 3',
    becomes: 'to - Date.now() > 0',
  },
];
