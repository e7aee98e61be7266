// Faults in how a hub of its own is started.
import type { Mutant } from './mutant.ts';

const CONFIG = {
  seenBy: ['test/unit/deploy/hub/config/refused.test.ts', 'test/unit/deploy/hub/config/config.test.ts'],
};
const DIRECTORY = { seenBy: ['test/unit/deploy/hub/data-directory.test.ts'] };
const PARTS = { seenBy: ['test/unit/deploy/hub/parts.test.ts'] };
const DOORS = { seenBy: ['test/unit/deploy/hub/doors.test.ts'] };
const LOSSES = { seenBy: ['test/unit/deploy/hub/backup/losses.test.ts'] };
const ARCHIVE = { seenBy: ['test/unit/deploy/hub/backup/archive.test.ts'] };
const TEMPORAL = { seenBy: ['test/unit/deploy/hub/external-temporal.test.ts'] };
const SHARED = { seenBy: ['test/unit/deploy/hub/shared-temporal.test.ts'] };
const STORE = { seenBy: ['test/unit/deploy/hub/whose-etcd.test.ts'] };
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
    inside: null,
    text: 'ManagedClusterAutoApproval=false',
    becomes: 'ManagedClusterAutoApproval=true',
  },
  {
    seenBy: ['test/activity/local/registration.test.ts'],
    breaks: 'whoever asks under the name of a site of the local stack is let in',
    file: 'deploy/local/ocm/registration.ts',
    inside: 'requestsOf',
    text: 'request.spec?.username === userOfToken(token) &&',
    becomes: '',
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
    text: 'to - now > (to - from) / 3',
    becomes: 'to - now > 0',
  },
  {
    ...PKI,
    breaks: 'a certificate that was written while the clock was ahead stays, and nobody accepts it',
    file: 'deploy/local/kubernetes/signer.ts',
    inside: 'isGood',
    text: 'from <= now && ',
    becomes: '',
  },
  {
    ...STORE,
    breaks: 'a hub starts on the objects of another hub',
    file: 'deploy/hub/store/whose.ts',
    inside: 'checkStore',
    text: 'store.hub !== made?.id',
    becomes: 'false',
  },
  {
    ...STORE,
    breaks: 'a hub whose etcd went back lets the agents in',
    file: 'deploy/hub/store/whose.ts',
    inside: 'wentBack',
    text: 'store.newestLease < last.newestLease',
    becomes: 'false',
  },
  {
    ...CONFIG,
    breaks: 'half of a pair for a server of somebody else’s is dropped without a word',
    file: 'deploy/hub/config/pair.ts',
    inside: 'pairOf',
    text: 'if (certFile === keyFile) return ca;',
    becomes: 'if (certFile !== keyFile) return ca;',
  },
  {
    ...CONFIG,
    breaks: 'an external Temporal’s authority alone is no reason to speak TLS',
    file: 'deploy/hub/config/temporal.ts',
    inside: 'temporalOf',
    text: '!OF_TLS.some((name) => fields[name] !== undefined)',
    becomes: 'serverName === undefined',
  },
  {
    ...DOORS,
    breaks: 'sites are told the port of the Pod, and not that of the load balancer',
    file: 'deploy/hub/doors.ts',
    inside: 'gatewayOf',
    text: 'externalPort ?? port',
    becomes: 'port',
  },
  {
    ...LOSSES,
    breaks: 'a list of losses that differs where it is cut is the list that was seen',
    file: 'deploy/hub/admit/wording.ts',
    inside: 'fingerprintOfLosses',
    text: 'Number.POSITIVE_INFINITY',
    becomes: 'SHOWN',
  },
  {
    ...ARCHIVE,
    breaks: 'a restored hub looks for its certificate for Temporal where the former machine had it',
    file: 'deploy/hub/backup/configured.ts',
    inside: 'configFileOf',
    text: '.map(({ field, name }) => [field.slice(section.length), at(name)])',
    becomes: '.map(({ field, path }) => [field.slice(section.length), path])',
  },
  {
    ...TEMPORAL,
    breaks: 'a Temporal with the certificate of another name is spoken to',
    file: 'deploy/hub/temporal/reach.ts',
    inside: 'whyNoTls',
    text: 'servername: name',
    becomes: "servername: 'temporal.example'",
  },
  {
    ...SHARED,
    breaks:
      'a hub that goes to another Temporal works where another hub does, if the namespaces are called alike',
    file: 'deploy/hub/temporal/check.ts',
    inside: 'asked',
    text: 'address !== before?.address || namespace !== before.namespace',
    becomes: 'namespace !== before?.namespace',
  },
  {
    ...SHARED,
    breaks: 'a hub behind shut doors counts as one that has worked with its Temporal',
    file: 'deploy/hub/temporal/worked.ts',
    inside: 'rememberWorked',
    text: 'if (!started.some(({ name }) => name === worker)) return;',
    becomes: '',
  },
  {
    breaks: 'a site that lies holds up the deletion of a Capp',
    file: 'activities/hub/site/taken-up.ts',
    inside: 'isOnlyTakenUp',
    text: 'notedOn(capp).includes(cluster) && ',
    becomes: 'notedOn(capp).includes(cluster.slice(1)) && ',
    seenBy: ['test/activity/hub/site/take-up.test.ts'],
  },
  {
    breaks: 'a Capp goes before its own site has confirmed that its copy is gone',
    file: 'activities/hub/retire/retire.ts',
    inside: 'holdsNobodyUp',
    text: 'isOnlyTakenUp(capp, metadata.namespace',
    becomes: '(true || metadata.namespace',
    seenBy: ['test/activity/hub/site/take-up.test.ts'],
  },
  {
    breaks: 'a site that only said that it has a Capp keeps that note when the Capp is shipped there',
    file: 'activities/hub/site/taken-up.ts',
    inside: 'unnoted',
    text: 'one !== cluster',
    becomes: "one !== ''",
    seenBy: ['test/activity/hub/site/take-up.test.ts'],
  },
  {
    breaks: 'a Capp goes while a copy that no cache shows is still there',
    file: 'activities/hub/retire/retire.ts',
    inside: 'holdsNobodyUp',
    text: 'return (await allWorks(kube, claim, [], false)).every(isOnlySaid);',
    becomes: 'return left.every(isOnlySaid);',
    seenBy: ['test/activity/hub/site/take-up.test.ts'],
  },
  {
    breaks: 'a tenant lets a Capp go before its site has confirmed that the copy is gone',
    file: 'activities/hub/site/taken-up.ts',
    inside: 'isOnlyTakenUp',
    text: ' && recordedSite(capp) !== cluster',
    becomes: '',
    seenBy: ['test/activity/hub/site/take-up.test.ts'],
  },
  {
    breaks: 'a tenant leads the users of a Capp away with an annotation, and a forged state',
    file: 'activities/hub/status/published-sites.ts',
    inside: 'isPublishable',
    text: '(cluster !== state.serving || works(cluster))',
    becomes: '(cluster !== state.pin || works(cluster))',
    seenBy: ['test/activity/hub/forged-decided.test.ts'],
  },
];
