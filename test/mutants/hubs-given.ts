// Faults in what a hub that is about to start says of ports, paths and an etcd that it cannot use.
import type { Mutant } from './mutant.ts';

const DOORS = { seenBy: ['test/unit/deploy/hub/doors.test.ts'], file: 'deploy/hub/doors.ts' };
const ETCD = { seenBy: ['test/unit/deploy/hub/etcd-tls.test.ts'] };
const CONFIG = { seenBy: ['test/unit/deploy/hub/config/refused.test.ts'] };

export const HUBS_GIVEN: readonly Mutant[] = [
  {
    ...DOORS,
    breaks: 'an address that the machine does not have is called a port that is taken',
    inside: 'closedBecause',
    text: "why === 'no address'",
    becomes: "host === ''",
  },
  {
    ...DOORS,
    breaks: 'a port that is for root alone is not told from one that is taken',
    file: 'deploy/local/supervise/ports.ts',
    inside: 'whyNotFree',
    text: "code === 'EACCES' ? 'not ours' : ",
    becomes: '',
  },
  {
    ...DOORS,
    breaks: 'a hub whose door is at the port of its own etcd is told to stop that program',
    inside: 'checkDoors',
    text: 'port === door.port',
    becomes: 'port === 0',
  },
  {
    ...ETCD,
    breaks: 'a hub starts on an etcd that its API server does not trust, and ends in its log',
    file: 'deploy/hub/store/claim.ts',
    inside: 'refuseUntrusted',
    text: "|| code.includes('ALERT')",
    becomes: "|| code !== ''",
  },
  {
    ...ETCD,
    breaks: 'the files for an etcd are looked at by its API server alone',
    file: 'deploy/hub/doors.ts',
    inside: 'checkEtcd',
    text: 'etcd.tls !== null',
    becomes: "etcd.prefix === ''",
  },
  {
    ...ETCD,
    breaks: 'an etcd at the port of https is refused as one without a port',
    file: 'deploy/hub/config/etcd.ts',
    inside: 'checkServer',
    text: '/:\\d+\\/?$/.test(server)',
    becomes: "url.port !== ''",
  },
  {
    breaks: 'a hub whose key of accounts is gone makes another, and every token that it has given ends',
    file: 'deploy/hub/own-keys.ts',
    inside: 'checkOwnKeys',
    text: 'hasStored && !existsSync(accounts)',
    becomes: "hasStored && accounts === ''",
    seenBy: ['test/unit/deploy/hub/own-keys.test.ts'],
  },
  {
    breaks: 'a hub is refused whose given authority lies in its own folder, with its key elsewhere',
    file: 'deploy/hub/own-keys.ts',
    inside: 'authoritiesOf',
    text: 'apiServer.authority === null',
    becomes: 'apiServer.port > 0',
    seenBy: ['test/unit/deploy/hub/own-keys.test.ts'],
  },
  {
    ...ETCD,
    breaks: 'a key that is not that of the certificate for etcd is only seen in the log of the API server',
    file: 'deploy/hub/tls-files.ts',
    inside: 'checkTlsFiles',
    text: '!isPair(pair.cert, pair.key)',
    becomes: "pair.key === ''",
  },
  {
    breaks: 'a hub that was stopped in the middle of its first start never starts again',
    file: 'deploy/local/kubernetes/manifests.ts',
    inside: 'applyDefinitions',
    text: 'now > touchAt',
    becomes: 'now > deadline',
    seenBy: ['test/unit/local/definitions.test.ts'],
  },
  {
    ...CONFIG,
    breaks: 'a directory is made that is called ~',
    file: 'deploy/hub/config/file.ts',
    inside: null,
    text: '!OF_A_HOME.test(given)',
    becomes: "given !== ''",
  },
  {
    ...CONFIG,
    breaks: 'a hub that runs in a directory called ~ is not told where it is',
    file: 'deploy/hub/config/config.ts',
    inside: 'sentencesOf',
    text: 'OF_A_HOME.test(value)',
    becomes: "value === ''",
  },
];
