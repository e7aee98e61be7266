// Faults in what a join says of a line, a clock, a name and a site that cannot be used.
import type { Mutant } from '../mutant.ts';

const HUB = { file: 'deploy/join/hub.ts', seenBy: ['test/unit/deploy/join/hub.test.ts'] } as const;
const SITE = { seenBy: ['test/unit/deploy/join/site-door.test.ts'] } as const;

export const JOINS_PASTED: readonly Mutant[] = [
  {
    ...HUB,
    breaks: 'whose clock is wrong is told to look for a firewall',
    inside: 'remedyOf',
    text: 'skewSentence(dateThere) ??',
    becomes: "skewSentence('') ??",
  },
  {
    ...HUB,
    breaks: 'a hub by another name than its certificate has is taken for one that does not run',
    inside: 'remedyOf',
    text: "code.startsWith('ERR_TLS_CERT_ALTNAME')",
    becomes: "code === ''",
  },
  {
    ...HUB,
    breaks: 'nobody is told that the proxy of the machine is not followed',
    inside: 'remedyOf',
    text: '=== undefined',
    becomes: '!== null',
  },
  {
    ...SITE,
    breaks: 'the agent of a site behind a proxy, or by another name, never comes to it',
    file: 'deploy/join/account.ts',
    inside: 'siteAddress',
    text: 'endpoint.proxyUrl === null',
    becomes: "endpoint.proxyUrl !== ''",
  },
  {
    ...SITE,
    breaks: 'who has a credential that has ended gets the path of a Secret in place of a sentence',
    file: 'deploy/join/site.ts',
    inside: 'refuseUnreachable',
    text: '![0, 401].includes',
    becomes: '![0].includes',
  },
  {
    breaks: 'a line that a terminal has broken is taken for none',
    file: 'crds/join/join-line.ts',
    inside: 'parseJoinLine',
    text: "text.replaceAll(AROUND, '')",
    becomes: 'text.trim()',
    seenBy: ['test/unit/join/join-line.test.ts'],
  },
];
